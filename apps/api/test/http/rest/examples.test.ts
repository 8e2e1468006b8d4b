import { readdirSync, readFileSync } from 'node:fs'
import { Decimal, FEE_RATE, PRICE_DECIMALS, SOL_DECIMALS, SUPPLY, VIRTUAL_SOL } from '@papermoon/amm'
import { procedures } from '@papermoon/contract'
import { describe, expect, it } from 'vitest'
import { streamExamples } from '../../../src/http/rest/asyncapi/mount.ts'

type Json = Readonly<Record<string, unknown>>

const CHAPTERS = new URL('../../../../../packages/guide/chapters/', import.meta.url)
/** Max factor that rounding in all trades of an example may add to the product of the reserves. */
const ROUNDING = '1.0000000001'

const examples: [name: string, example: unknown][] = [
  ...Array.from(procedures, ([name, { example }]): [string, unknown] => [name, example]),
  ...Object.entries(streamExamples).map(([name, example]): [string, unknown] => [`the message ${name}`, example]),
  ...readJsonBlocks(CHAPTERS, readdirSync(CHAPTERS)),
]

function readJsonBlocks(folder: URL, files: readonly string[]): [string, unknown][] {
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const blocks = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)]
      return blocks.map(([, json = ''], i): [string, unknown] => [`${file}, block ${i + 1}`, JSON.parse(json)])
    })
}

/** Returns all objects in a value, including nested ones. */
function listObjects(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(listObjects)
  return Array.isArray(value) ? inner : [value as Json, ...inner]
}

const objects = examples.flatMap(([name, example]) => listObjects(example).map((it) => ({ name, it })))
/** Returns the examples with these properties, converted to decimals. */
function findWith<Name extends string>(...names: Name[]): { name: string; it: Record<Name, Decimal>; whole: Json }[] {
  return objects
    .filter(({ it }) => names.every((name) => typeof it[name] === 'string'))
    .map(({ name, it }) => ({
      name,
      whole: it,
      it: Object.fromEntries(names.map((key) => [key, new Decimal(String(it[key]))])) as Record<Name, Decimal>,
    }))
}
const cut = (value: Decimal, decimals: number) => value.toDecimalPlaces(decimals, Decimal.ROUND_DOWN).toFixed()

describe('the figures of examples', () => {
  it('describe pools whose reserves have the product of all pools', () => {
    const k = VIRTUAL_SOL.mul(SUPPLY)
    const pools = findWith('solReserve', 'tokenReserve')
    expect(pools.length).toBeGreaterThan(10)
    for (const { name, it, whole } of pools) {
      const product = it.solReserve.mul(it.tokenReserve)
      expect([name, product.gte(k), product.lte(k.mul(ROUNDING))]).toEqual([name, true, true])
      const { realSol, spotPrice } = whole
      if (realSol !== undefined) expect([name, realSol]).toEqual([name, it.solReserve.sub(VIRTUAL_SOL).toFixed()])
      const price = cut(it.solReserve.div(it.tokenReserve), PRICE_DECIMALS)
      if (spotPrice !== undefined) expect([name, spotPrice]).toEqual([name, price])
    }
  })

  it('have the price of their pool, and the market cap of their price', () => {
    const priced = objects.filter(({ it }) => typeof it.pool === 'object' && typeof it.currentPrice === 'string')
    expect(priced.length).toBeGreaterThan(10)
    for (const { name, it } of priced) {
      const { solReserve, tokenReserve } = it.pool as { solReserve: string; tokenReserve: string }
      const price = cut(new Decimal(solReserve).div(tokenReserve), PRICE_DECIMALS)
      expect([name, it.currentPrice]).toEqual([name, price])
    }
    const capped = findWith('currentPrice', 'marketCap')
    expect(capped.length).toBeGreaterThan(5)
    for (const { name, it } of capped) {
      expect([name, it.marketCap.toFixed()]).toEqual([name, it.currentPrice.mul(SUPPLY).toFixed()])
    }
    for (const { name, it } of findWith('amount', 'currentPrice', 'totalValue')) {
      expect([name, it.totalValue.toFixed()]).toEqual([name, cut(it.amount.mul(it.currentPrice), SOL_DECIMALS)])
    }
  })

  it('describe trades with the average price and the fee of their amounts', () => {
    const trades = findWith('solAmount', 'tokenAmount', 'price', 'fee')
    expect(trades.length).toBeGreaterThan(10)
    for (const { name, it, whole } of trades) {
      expect([name, it.price.toFixed()]).toEqual([name, cut(it.solAmount.div(it.tokenAmount), PRICE_DECIMALS)])
      const isSale = whole.side === 'sell' || whole.kind === 'sell'
      const gross = isSale ? it.solAmount.add(it.fee) : it.solAmount
      const fee = gross.mul(FEE_RATE).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_UP)
      expect([name, it.fee.toFixed()]).toEqual([name, fee.toFixed()])
    }
  })

  it('are consistent within an event: its trade, the price after it and its volume', () => {
    const events = objects.filter(({ it }) => typeof it.trade === 'object' && it.pool !== undefined)
    expect(events.length).toBeGreaterThan(2)
    for (const { name, it } of events) {
      const trade = it.trade as Json
      expect([name, it.seq, it.tokenId, it.currentPrice]).toEqual([name, trade.seq, trade.tokenId, trade.spotPrice])
      const fee = trade.side === 'sell' ? String(trade.fee) : '0'
      expect([name, it.volume]).toEqual([name, new Decimal(String(trade.solAmount)).add(fee).toFixed()])
    }
  })
})
