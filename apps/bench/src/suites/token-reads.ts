export const tokenReads: readonly { readonly name: string; path(id: number): string }[] = [
  { name: 'token', path: (id) => `/api/tokens/${id}` },
  { name: 'trades', path: (id) => `/api/tokens/${id}/trades` },
  { name: 'holders', path: (id) => `/api/tokens/${id}/holders` },
  { name: 'chart 24H', path: (id) => `/api/charts/${id}?timeframe=24H` },
  { name: 'chart ALL', path: (id) => `/api/charts/${id}?timeframe=ALL` },
]
