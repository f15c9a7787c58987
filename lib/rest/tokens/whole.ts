/**
 * A response with all of its body, so that nothing of it fails later.
 *
 * @throws {RangeError} when the body has more than `most` bytes, unpacked. The rest is not read
 */
export async function wholeOf(response: Response, most: number): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) throw new RangeError(`The response is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(bytes > 0 ? Buffer.concat(chunks) : null, { status, headers });
}
