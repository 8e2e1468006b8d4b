import {
  Decimal,
  FEE_RATE,
  LAUNCH_FEE,
  PRICE_DECIMALS,
  SOL_DECIMALS,
  STARTING_BALANCE,
  SUPPLY,
  solText,
  TOKEN_DECIMALS,
  tokensText,
  USD_PER_SOL,
  VIRTUAL_SOL,
} from '@papermoon/amm'
import { BOUNDS } from '@papermoon/contract/bounds'
import type { CallerLimits, Parameters } from '@papermoon/contract/site'
import { ENGINE_LIMITS, type UserId } from '@papermoon/engine'
import type { ApiKeyRecord, Context } from '../../context.ts'
import { InvalidApiKeyError } from '../../errors.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { shownLimits } from '../../security/rate-limits.ts'
import { SPENDING_COLUMNS, toKeySpending } from '../account/public.ts'

/** Returns the market's constants, the limits for calls, and the limits of this caller. */
export async function getParameters(ctx: Context, userId: UserId | null): Promise<Parameters> {
  return {
    tradingFee: FEE_RATE.toFixed(),
    launchFee: solText(LAUNCH_FEE),
    supply: tokensText(SUPPLY),
    virtualSol: solText(VIRTUAL_SOL),
    startingBalance: solText(STARTING_BALANCE),
    decimals: { sol: SOL_DECIMALS, token: TOKEN_DECIMALS, price: PRICE_DECIMALS },
    solPriceUsd: USD_PER_SOL.toFixed(),
    ordersUnderWay: ENGINE_LIMITS.perPlayerMax,
    rateLimits: ctx.app.platform.config.rateLimit ? [...shownLimits] : [],
    bounds: BOUNDS,
    caller: await describeCaller(ctx, userId),
  }
}

async function describeCaller({ app, apiKey }: Context, userId: UserId | null): Promise<CallerLimits> {
  if (apiKey === null) return { kind: userId === null ? 'anonymous' : 'session', userId, key: null }
  const record = await app.accounts.apiKeys.find(apiKey)
  if (record === null) throw new InvalidApiKeyError()
  return { kind: 'key', userId: record.userId, key: await describeKey({ app }, record) }
}

async function describeKey(
  { app }: Pick<Context, 'app'>,
  { keyId, scopes, expiresAt }: ApiKeyRecord,
): Promise<NonNullable<CallerLimits['key']>> {
  const row = await app.platform.db
    .selectFrom('api_keys')
    .select(['name', ...SPENDING_COLUMNS])
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (row === undefined) throw new InvalidApiKeyError()
  const now = app.platform.clock.now()
  const { spendingLimit, spentToday } = toKeySpending(row, now)
  const isLimited = spendingLimit !== null && spentToday !== null
  return {
    id: keyId,
    name: row.name,
    scopes: [...scopes],
    expiresAt: expiresAt?.toISOString() ?? null,
    spendingLimit,
    spentToday,
    leftToday: isLimited ? solText(new Decimal(spendingLimit).sub(spentToday)) : null,
    resetsAt: isLimited ? new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS).toISOString() : null,
  }
}
