import { Decimal } from '@papermoon/amm'
import type { Alert, CreateAlertInput } from '@papermoon/contract/alerts'
import { TokenNotFoundError, type UserId } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { BadInputError } from '../../../errors.ts'
import { lockUser } from '../../account/public.ts'
import {
  ALERTS_MAX,
  AlertReachedError,
  countWaiting,
  findAlerts,
  findPrice,
  insertAlert,
  type PricedToken,
  TokenRuggedError,
  TooManyAlertsError,
  trimEnded,
} from './store.ts'

const PRICE_DECIMALS = 18
/** Limit for prices in SOL, because a price this large does not fit into the column. */
const PRICE_LIMIT = new Decimal('1e20')
const PERCENT_MAX = 10_000_000

/**
 * Creates a price alert. Throws `TokenNotFoundError`, `TokenRuggedError`, `TooManyAlertsError`, `AlertReachedError`,
 * and `BadInputError` for a price that no token can have.
 */
export async function createAlert(app: App, userId: UserId, input: CreateAlertInput): Promise<Alert> {
  const { tokenId, measure, value } = input
  return await app.platform.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const token = await findPrice(tx, tokenId)
    if (token === undefined) throw new TokenNotFoundError()
    if (token.rugged_at !== null) throw new TokenRuggedError()
    if ((await countWaiting(tx, userId)) >= ALERTS_MAX) throw new TooManyAlertsError()
    const price = computeAlertPrice(input, token)
    const direction = price.gt(token.price) ? 'above' : 'below'
    if (price.eq(token.price) || (input.direction ?? direction) !== direction) throw new AlertReachedError()
    const id = await insertAlert(tx, {
      user_id: userId,
      token_id: tokenId,
      measure,
      value: value.toFixed(),
      direction,
      price: price.toFixed(),
      since_seq: token.seq,
      created_at: app.platform.clock.now(),
    })
    await trimEnded(tx, userId)
    const [made] = await findAlerts(tx, userId, id)
    // Another transaction has hidden the token meanwhile.
    if (made === undefined) throw new TokenNotFoundError()
    return made
  })
}

/** Returns the price in SOL at which an alert fires, truncated to 18 decimals. */
function computeAlertPrice({ measure, value }: CreateAlertInput, token: PricedToken): Decimal {
  const price = computeExactPrice({ measure, value }, token).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_DOWN)
  if (price.lte(0)) throw new BadInputError('value must give a price above 0.')
  if (measure === 'percent' && value.gt(PERCENT_MAX)) throw new BadInputError('value is too large.')
  if (price.gte(PRICE_LIMIT) || value.abs().gte(PRICE_LIMIT)) throw new BadInputError('value is too large.')
  return price
}

function computeExactPrice(
  { measure, value }: Pick<CreateAlertInput, 'measure' | 'value'>,
  { price, supply }: PricedToken,
): Decimal {
  if (measure === 'percent') return new Decimal(price).mul(value.div(100).add(1))
  return measure === 'price' ? value : value.div(supply)
}
