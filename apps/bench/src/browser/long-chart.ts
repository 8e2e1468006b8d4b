/**
 * A script that a page runs before its own: every chart that the page fetches gets this many candles, one a minute, as
 * no server would send them. Their prices wander and never repeat.
 */
export function answerWithCandles(count: number): string {
  return `(${install})(${count})`
}

/** Runs in the page, so it must not use anything from outside. */
function install(count: number): void {
  const MINUTE_MS = 60_000
  const makeCandles = () => {
    const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
    let price = 30
    return Array.from({ length: count }, (_, place) => {
      const open = price
      price = Math.max(5, price + Math.sin(place / 40) + Math.sin(place * 7.3) * 2)
      const toSol = (plotted: number) => (plotted / 1e9).toFixed(18)
      return {
        time: new Date(nowMs - (count - 1 - place) * MINUTE_MS).toISOString(),
        open: toSol(open),
        close: toSol(price),
        high: toSol(Math.max(open, price) + 1),
        low: toSol(Math.min(open, price) - 1),
        volume: (1 + Math.abs(price - open)).toFixed(9),
      }
    })
  }
  const fetchReally = globalThis.fetch
  globalThis.fetch = async (...request) => {
    const response = await fetchReally(...request)
    const procedures = new URL(response.url).pathname.split('/').at(-1)?.split(',') ?? []
    const place = procedures.indexOf('tokens.chart')
    if (place === -1 || !response.ok) return response
    const answers = await response.json()
    Object.assign(answers[place].result.data.json, { width: 60, candles: makeCandles() })
    return new Response(JSON.stringify(answers), { status: response.status, headers: response.headers })
  }
}
