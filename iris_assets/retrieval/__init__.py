"""A question turned into a plan and the plan into evidence."""
