/** Formats a subscription to a token's events in tRPC's WebSocket protocol, as `wsLink` does. */
export function subscribeTo(tokenId: number): string {
  const input = { json: { tokenId } }
  return JSON.stringify({ id: 1, method: 'subscription', params: { input, path: 'live.token' } })
}
