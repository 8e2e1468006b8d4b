import { FAIR_LAUNCHES_MAX } from './fair-tokens.ts'
import { HOSTED_MAX } from './fairs.ts'
import { FAIRS_MAX, TOKENS_MAX } from './live.ts'
import { ORDER_FINAL_S } from './orders.ts'
import { MENTIONS_MAX, POST_MAX } from './talk.ts'
import { DESCRIPTION_MAX, NAME_MAX, SYMBOL_MAX } from './tokens.ts'
import { WAITING_MAX } from './waiting-orders.ts'

/** The API's limits, except rate limits. `GET /api/parameters` and the guide list the limits by these names. */
export const BOUNDS = {
  connectionsPerAddress: 200,
  streamsPerAddress: 100,
  filesPerAddress: 2,
  bodyBytes: 32_768,
  callsPerBatch: 20,
  tokensPerStream: TOKENS_MAX,
  fairsPerStream: FAIRS_MAX,
  unreadBytesOfStream: 1_048_576,
  hoursToResume: 24,
  secondsUntilOrderIsFinal: ORDER_FINAL_S,
  waitingOrders: WAITING_MAX.player,
  waitingOrdersPerToken: WAITING_MAX.token,
  keys: 10,
  webhooks: 5,
  hostedFairs: HOSTED_MAX,
  launchesPerFair: FAIR_LAUNCHES_MAX,
  nameCharacters: NAME_MAX,
  symbolCharacters: SYMBOL_MAX,
  descriptionCharacters: DESCRIPTION_MAX,
  postCharacters: POST_MAX,
  mentionsPerPost: MENTIONS_MAX,
} as const
