import type { MarketEvent, RugPullEvent, TokenLaunchedEvent, Trade, TradeEvent } from '../../events/market-events.ts'
import type { TokenId, UserId } from '../../ids.ts'
import { type ByteReader, type ByteWriter, FrameError } from './bytes.ts'
import { need } from './order-codec.ts'

const TYPES = ['trade', 'rug_pull', 'token_launched'] as const

const IS_SALE = 1
const IS_BOT = 2

/** Min bytes of an event. */
export const EVENT_BYTES_MIN = 16

export function writeEvent(to: ByteWriter, event: MarketEvent): void {
  to.u8(TYPES.indexOf(event.type))
  if (event.type === 'trade') writeTradeEvent(to, event)
  else if (event.type === 'rug_pull') {
    const { tokenId, seq, userId, username, isBot, amount, createdAt } = event
    writeHead(to, { tokenId, seq, userId, flags: isBot ? IS_BOT : 0 })
    to.texts([username, amount, createdAt])
  } else {
    const { tokenId, seq, name, symbol, emoji, creator, createdAt } = event
    writeHead(to, { tokenId, seq, userId: creator.id, flags: creator.isBot ? IS_BOT : 0 })
    to.texts([creator.username, name, symbol, emoji, createdAt])
  }
}

export function readEvent(from: ByteReader): MarketEvent {
  const type = TYPES[from.u8()]
  if (type === 'trade') return readTradeEvent(from)
  if (type === undefined) throw new FrameError('there is no such type of event')
  const { tokenId, seq, userId, flags } = readHead(from)
  const isBot = (flags & IS_BOT) !== 0
  if (type === 'rug_pull') {
    const [username, amount, createdAt] = readTexts(from, 3)
    return { type, tokenId, seq, userId, username, isBot, amount, createdAt } as RugPullEvent
  }
  const [username, name, symbol, emoji, createdAt] = readTexts(from, 5)
  const creator = { id: userId, username, isBot }
  return { type, tokenId, seq: 0, name, symbol, emoji, creator, createdAt } as TokenLaunchedEvent
}

/** Token and sequence number are those of the trade, so they are written once. */
function writeTradeEvent(to: ByteWriter, { trade, pool, currentPrice, marketCap, volume, holding }: TradeEvent): void {
  writeTradeHead(to, trade)
  to.texts([
    trade.solAmount,
    trade.fee,
    trade.tokenAmount,
    trade.price,
    trade.spotPrice,
    trade.createdAt,
    trade.username,
    pool.solReserve,
    pool.tokenReserve,
    pool.realSol,
    currentPrice,
    marketCap,
    volume,
    holding,
  ])
}

function readTradeEvent(from: ByteReader): TradeEvent {
  const head = readTradeHead(from)
  const texts = readTexts(from, TRADE_TEXTS + 7) as FourteenTexts
  const trade = toTrade(head, texts)
  const [, , , , , , , solReserve, tokenReserve, realSol, currentPrice, marketCap, volume, holding] = texts
  const { tokenId, seq } = trade
  const pool = { solReserve, tokenReserve, realSol }
  return { type: 'trade', tokenId, seq, trade, pool, currentPrice, marketCap, volume, holding }
}

const TRADE_TEXTS = 7

type SevenTexts = [string, string, string, string, string, string, string]
type FourteenTexts = [...SevenTexts, ...SevenTexts]

export function writeTrade(to: ByteWriter, trade: Trade): void {
  writeTradeHead(to, trade)
  const { solAmount, fee, tokenAmount, price, spotPrice, createdAt, username } = trade
  to.texts([solAmount, fee, tokenAmount, price, spotPrice, createdAt, username])
}

export function readTrade(from: ByteReader): Trade {
  return toTrade(readTradeHead(from), readTexts(from, TRADE_TEXTS) as SevenTexts)
}

type TradeHead = Pick<Trade, 'id' | 'tokenId' | 'seq' | 'side' | 'userId' | 'isBot'>

function writeTradeHead(to: ByteWriter, { id, tokenId, seq, side, userId, isBot }: TradeHead): void {
  writeHead(to, { tokenId, seq, userId, flags: (side === 'sell' ? IS_SALE : 0) | (isBot ? IS_BOT : 0) })
  to.f64(id)
}

function readTradeHead(from: ByteReader): TradeHead {
  const { tokenId, seq, userId, flags } = readHead(from)
  const id = from.f64()
  return { id, tokenId, seq, userId, side: (flags & IS_SALE) === 0 ? 'buy' : 'sell', isBot: (flags & IS_BOT) !== 0 }
}

function toTrade(head: TradeHead, texts: readonly [...SevenTexts, ...string[]]): Trade {
  const [solAmount, fee, tokenAmount, price, spotPrice, createdAt, username] = texts
  const { id, tokenId, seq, side, userId, isBot } = head
  const figures = { solAmount, fee, tokenAmount, price, spotPrice }
  return { id, tokenId, seq, side, ...figures, createdAt, userId, username, isBot }
}

interface Head {
  readonly tokenId: TokenId
  readonly seq: number
  readonly userId: UserId
  readonly flags: number
}

function writeHead(to: ByteWriter, { tokenId, seq, userId, flags }: Head): void {
  to.u8(flags)
  to.u32(tokenId)
  to.u32(userId)
  to.f64(seq)
}

function readHead(from: ByteReader): Head {
  const flags = from.u8()
  const tokenId = from.u32() as TokenId
  const userId = from.u32() as UserId
  return { flags, tokenId, userId, seq: from.f64() }
}

function readTexts(from: ByteReader, count: number): string[] {
  const texts = from.texts(count)
  for (const text of texts) need(text)
  return texts as string[]
}
