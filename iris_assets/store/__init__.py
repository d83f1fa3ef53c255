"""The data layer: schema, migrations, repositories, and the two engines behind one contract."""
