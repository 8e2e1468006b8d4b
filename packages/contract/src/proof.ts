import { z } from 'zod'
import { BUY_TRADE, LAUNCHED_AT, POOL, SEAL, SEALED_AT, TRADED_AT } from './example-market.ts'
import { tokenId } from './ids.ts'
import { countRows, query } from './procedure.ts'
import { decimal, numberCursor, time } from './shapes.ts'

const count = z.int().min(0)
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256, hexadecimal.')

/** Max number of ids of tokens with a wrong supply. */
export const WRONG_TOKENS_MAX = 20

const lastReplay = z
  .object({
    startedAt: time,
    finishedAt: time,
    tradeId: z.int().nullable().describe('Id of the last trade that was checked.'),
    trades: count,
    tokens: count,
    players: count,
    differences: count.describe('Number of figures and hashes that differ from the journal; 0 if none.'),
  })
  .meta({ id: 'JournalReplay' })

const lastHeads = z
  .object({ hour: time, publishedAt: time, tokens: count, digest: sha256 })
  .meta({ id: 'PublishedHeads' })

export const auditSummary = z
  .object({
    checkedAt: time.describe('When the sums were computed.'),
    granted: decimal.describe('All SOL that was ever granted.'),
    grants: z
      .object({
        register: decimal.describe('SOL granted to new players.'),
        reset: decimal.describe('SOL granted by account resets.'),
        house: decimal.describe('SOL granted to house bots.'),
      })
      .describe('Granted SOL by type of grant.'),
    balances: decimal.describe('Sum of all players’ balances, in SOL.'),
    pools: decimal.describe('Sum of the real SOL of all pools.'),
    treasury: decimal.describe('Sum of all trading and launch fees, in SOL.'),
    difference: decimal.describe('granted − balances − pools − treasury; 0 if every lamport is accounted for.'),
    isExact: z.boolean(),
    tokens: z
      .object({
        count: count.describe('Number of tokens.'),
        exact: count.describe('Number of tokens whose supply equals pool plus holdings.'),
        wrong: z.array(tokenId).describe(`Ids of tokens whose supply is wrong, at most ${WRONG_TOKENS_MAX}.`),
      })
      .describe('Results of checking every token’s supply.'),
    lastReplay: lastReplay.nullable().describe('The last full check of all trades.'),
    heads: lastHeads.nullable().describe('The last published hash of each token’s hash chain.'),
  })
  .meta({ id: 'AuditSummary' })
export type AuditSummary = z.output<typeof auditSummary>

export const CHAIN_PAGE_MAX = 500
export const chainInput = z.object({
  id: tokenId,
  ...numberCursor(Number.MAX_SAFE_INTEGER),
  limit: z.int().min(1).max(CHAIN_PAGE_MAX).default(CHAIN_PAGE_MAX),
})

/** Do not limit these ids, because the response shows entries as they are stored. */
const id = z.int()
const chainPosition = z.object({ seq: count, hash: sha256 }).meta({ id: 'ChainPlace' })

const journalEntry = z.object({ tokenId: id, seq: z.int(), userId: id, createdAt: time, hash: sha256 })
const tradeEntry = journalEntry
  .extend({
    kind: z.enum(['buy', 'sell']),
    solAmount: decimal,
    fee: decimal,
    tokenAmount: decimal,
    price: decimal,
    spotPrice: decimal,
    solReserve: decimal.describe('SOL in the pool after the trade.'),
    tokenReserve: decimal.describe('Tokens in the pool after the trade.'),
  })
  .meta({ id: 'ChainTrade' })
const rugEntry = journalEntry
  .extend({ kind: z.literal('rug'), amount: decimal.describe('SOL that the creator took.') })
  .meta({ id: 'ChainRug' })

export const chainPage = z
  .object({
    genesis: z
      .object({
        tokenId: id,
        creatorId: id,
        supply: decimal,
        launchPrice: decimal,
        createdAt: time,
        name: z.string(),
        symbol: z.string(),
        hash: sha256,
      })
      .describe('The launch. It is the first entry of the chain.'),
    head: chainPosition.describe('The latest entry. The launch is entry number 0.'),
    after: chainPosition.describe('The last entry before this page.'),
    entries: z
      .array(z.union([tradeEntry, rugEntry]))
      .describe(`Entries of the hash chain, oldest first, at most ${CHAIN_PAGE_MAX}.`),
  })
  .meta({ id: 'ChainPage' })
export type ChainPage = z.output<typeof chainPage>

export const CHECKPOINTS_MAX = 200
export const checkpoints = z
  .object({
    head: chainPosition,
    every: z.int().describe(`Number of entries between checkpoints, a multiple of ${CHAIN_PAGE_MAX}.`),
    checkpoints: z
      .array(chainPosition)
      .describe(`Evenly spaced entries of the hash chain, oldest first, at most ${CHECKPOINTS_MAX}.`),
  })
  .meta({ id: 'ChainCheckpoints' })
export type Checkpoints = z.output<typeof checkpoints>

export const sealChainInput = z.object({
  id: tokenId,
  ...numberCursor(Number.MAX_SAFE_INTEGER),
})
export const sealChain = z
  .object({
    head: z
      .object({ number: count.describe('Number of seals.'), hash: sha256 })
      .nullable()
      .describe('The latest seal, or null if the token was never sealed.'),
    seals: z
      .array(
        z.object({
          tokenId: id,
          number: z.int().describe('From 1.'),
          seq: z.int().describe('Sequence number of the token’s last trade before the seal.'),
          userId: id,
          until: time,
          bagUntil: time
            .nullable()
            .describe('Time until which the creator’s tokens are locked, or null if they are not locked.'),
          bagTokens: decimal.describe('Number of tokens that the creator must hold until bagUntil.'),
          createdAt: time,
          hash: sha256,
        }),
      )
      .describe(`Seals, oldest first, at most ${CHAIN_PAGE_MAX}.`),
  })
  .meta({ id: 'SealChain' })
export type SealChain = z.output<typeof sealChain>

export const HEADS_PAGE_MAX = 10_000
export const HEADS_PAGE = 1_000
const HOUR_MS = 3_600_000
/** The default start, which is an hour before the first possible publication. */
const FIRST_HOUR = '2020-01-01T00:00:00Z'

const page = {
  ...numberCursor(2_147_483_647),
  limit: z.int().min(1).max(HEADS_PAGE_MAX).default(HEADS_PAGE),
}
const hour = z.iso
  .datetime('must be a full hour, such as 2026-01-05T18:00:00Z')
  .refine((text) => Date.parse(text) % HOUR_MS === 0, 'must be a full hour, such as 2026-01-05T18:00:00Z')
  .refine((text) => Date.parse(text) >= Date.parse(FIRST_HOUR), 'is too long ago')
export const headsInput = z.object(page)

export const heads = lastHeads
  .extend({
    previous: sha256.nullable().describe('Digest of the previous publication, or null for the first publication.'),
    heads: z.array(chainPosition.extend({ tokenId })).describe('Last hash of each token’s hash chain, by token id.'),
    nextAfter: tokenId.nullable().describe('Cursor for the next page, or null on the last page.'),
  })
  .meta({ id: 'ChainHeads' })
export type Heads = z.output<typeof heads>

/** The hashes of the examples' values. */
const GENESIS = '698f300da04796f6ab7a7b94328d4266e283c20757711c59478695ac1655de23'

const HEAD = 'fd5f02bf19a52f985c412564f4ab07ab5c1385dbaefa1b711234b8082221104a'

const SEAL_HEAD = 'bed7df18c7232c57a4e22017df59ab441c132f73b03f3a6da51a7850b453c8f9'

const DIGEST = 'bf330a298e7fb5aa205334cb9df9f13a572780ce3b8613fa5cb068e07158ef07'

const PUBLISHED = {
  hour: '2026-03-01T13:00:00.000Z',
  publishedAt: '2026-03-01T13:00:12.000Z',
  tokens: 1,
  digest: DIGEST,
}

const PUBLICATION = { ...PUBLISHED, previous: null, heads: [{ tokenId: 7, seq: 1, hash: HEAD }], nextAfter: null }

export const countChainReads = countRows(250, { usual: CHAIN_PAGE_MAX, max: CHAIN_PAGE_MAX })
export const countHeadReads = countRows(500, { usual: HEADS_PAGE, max: HEADS_PAGE_MAX })

/** Returns the cursor of the page after this number, or null at the end of the list. */
const findNext = (number = 0, last = 0) => (number > 0 && number < last ? number : null)

export const proofProcedures = {
  summary: query({
    access: 'anyone',
    cached: true,
    output: auditSummary,
    rest: 'GET /api/audit',
    operationId: 'getAudit',
    summary: 'Returns whether the market’s sums are exact now, and the result of the last full check of all trades.',
    example: {
      response: {
        checkedAt: '2026-03-01T13:00:30.000Z',
        granted: '100',
        grants: { register: '100', reset: '0', house: '0' },
        balances: '98.98',
        pools: '0.997',
        treasury: '0.023',
        difference: '0',
        isExact: true,
        tokens: { count: 1, exact: 1, wrong: [] },
        lastReplay: {
          startedAt: '2026-03-01T12:59:58.000Z',
          finishedAt: '2026-03-01T13:00:00.000Z',
          tradeId: 41,
          trades: 1,
          tokens: 1,
          players: 1,
          differences: 0,
        },
        heads: PUBLISHED,
      },
    },
  }),
  chain: query({
    access: 'anyone',
    inFairs: true,
    reads: countChainReads,
    input: chainInput,
    output: chainPage,
    nextCursor: ({ head, entries }: ChainPage) => findNext(entries.at(-1)?.seq, head.seq),
    rest: 'GET /api/tokens/{id}/chain',
    operationId: 'getTokenChain',
    summary: 'Lists the entries of a token’s hash chain. Each hash includes the hash of the previous entry.',
    errors: ['TOKEN_NOT_FOUND', 'NOT_FOUND', 'BUSY'],
    example: {
      input: { id: 7, cursor: 0, limit: 500 },
      response: {
        genesis: {
          tokenId: 7,
          creatorId: 3,
          supply: '1000000000',
          launchPrice: '0.00000003',
          createdAt: LAUNCHED_AT,
          name: 'Paper Moon',
          symbol: 'MOON',
          hash: GENESIS,
        },
        head: { seq: 1, hash: HEAD },
        after: { seq: 0, hash: GENESIS },
        entries: [
          {
            kind: 'buy',
            tokenId: 7,
            seq: 1,
            userId: 3,
            solAmount: BUY_TRADE.solAmount,
            fee: BUY_TRADE.fee,
            tokenAmount: BUY_TRADE.tokenAmount,
            price: BUY_TRADE.price,
            spotPrice: BUY_TRADE.spotPrice,
            solReserve: POOL.solReserve,
            tokenReserve: POOL.tokenReserve,
            createdAt: TRADED_AT,
            hash: HEAD,
          },
        ],
      },
    },
  }),
  checkpoints: query({
    access: 'anyone',
    inFairs: true,
    input: z.object({ id: tokenId }),
    output: checkpoints,
    rest: 'GET /api/tokens/{id}/chain/checkpoints',
    operationId: 'getChainCheckpoints',
    summary: 'Returns at most 200 evenly spaced hashes of a token’s hash chain.',
    errors: ['TOKEN_NOT_FOUND', 'BUSY'],
    example: { input: { id: 7 }, response: { head: { seq: 1, hash: HEAD }, every: 500, checkpoints: [] } },
  }),
  seals: query({
    access: 'anyone',
    inFairs: true,
    input: sealChainInput,
    output: sealChain,
    nextCursor: ({ head, seals }: SealChain) => findNext(seals.at(-1)?.number, head?.number),
    rest: 'GET /api/tokens/{id}/seals',
    operationId: 'listSeals',
    summary: 'Lists all seals of a token, oldest first. A token’s seals form a separate hash chain.',
    errors: ['TOKEN_NOT_FOUND', 'BUSY'],
    example: {
      input: { id: 7 },
      response: {
        head: { number: 1, hash: SEAL_HEAD },
        seals: [
          {
            tokenId: 7,
            number: 1,
            seq: 1,
            userId: 3,
            until: SEAL.liquidityUntil,
            bagUntil: SEAL.bagUntil,
            bagTokens: SEAL.bagTokens,
            createdAt: SEALED_AT,
            hash: SEAL_HEAD,
          },
        ],
      },
    },
  }),
  heads: query({
    access: 'anyone',
    reads: countHeadReads,
    input: headsInput,
    output: heads,
    nextCursor: ({ nextAfter }: Heads) => nextAfter,
    rest: 'GET /api/audit/heads',
    operationId: 'getChainHeads',
    summary:
      'Returns the last published hash of each token’s hash chain. The server publishes the hashes every hour. Keep a copy to check later that no trade was changed.',
    errors: ['NOT_FOUND'],
    example: { input: { cursor: 0, limit: 1000 }, response: PUBLICATION },
  }),
  headsAt: query({
    access: 'anyone',
    reads: countHeadReads,
    input: z.object({ hour, ...page }),
    output: heads,
    nextCursor: ({ nextAfter }: Heads) => nextAfter,
    rest: 'GET /api/audit/heads/{hour}',
    operationId: 'getChainHeadsAt',
    summary:
      'Returns the last hash of each token’s hash chain, as published at a certain hour. Published hashes never change.',
    errors: ['NOT_FOUND'],
    example: { input: { hour: PUBLISHED.hour, cursor: 0, limit: 1000 }, response: PUBLICATION },
  }),
}
