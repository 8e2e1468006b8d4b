/** Asks for a token's events, in tRPC's WebSocket protocol, as `wsLink` writes it. */
export function subscribeTo(tokenId: number): string {
  const input = { json: { tokenId } }
  return JSON.stringify({ id: 1, method: 'subscription', params: { input, path: 'live.token' } })
}
