// The server's API: JSON in, JSON out, and the progress events of a question.

export class ApiError extends Error {
  constructor(body, status) {
    super(body.message || "O servidor não respondeu como esperado.");
    this.body = body;
    this.status = status;
  }
}

// A request that reaches nobody fails with a sentence for the reader.
async function reach(address, options = {}) {
  try { return await fetch(address, options); } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError({ message: "Não foi possível falar com o servidor. Verifique a sua conexão e tente de novo." }, 0);
  }
}

async function readBody(response) {
  try { return await response.json(); } catch { return {}; }
}

export async function get(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== "" && item !== null) query.append(name, item);
  }
  const text = query.toString();
  const response = await reach(`/api/${path}${text ? `${path.includes("?") ? "&" : "?"}${text}` : ""}`);
  const body = await readBody(response);
  if (!response.ok) throw new ApiError(body, response.status);
  return body;
}

export async function post(path, request) {
  const response = await reach(`/api/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) });
  const body = await readBody(response);
  if (!response.ok) throw new ApiError(body, response.status);
  return body;
}

export async function ask(request, onStep, signal) {
  const response = await reach("/api/ask", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(request),
    signal,
  });
  if (!response.ok) throw new ApiError(await readBody(response), response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new ApiError({ message: "A conexão foi interrompida." }, 0);
    buffer += value;
    let end;
    while ((end = buffer.indexOf("\n\n")) >= 0) {
      const result = readEvent(buffer.slice(0, end), onStep);
      buffer = buffer.slice(end + 2);
      if (result) return result;
    }
  }
}

function readEvent(block, onStep) {
  const field = (name) => block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = JSON.parse(field("data") || "{}");
  const event = field("event");
  if (event === "progress") { onStep(data.step); return null; }
  if (event === "answer") return data;
  // The provider failed, but the extract came along.
  if (data.details?.answer) return data.details.answer;
  throw new ApiError(data, 500);
}
