/** A GET request without a session. */
export function anonymousGet(port: number, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: */*\r\n\r\n`
}
