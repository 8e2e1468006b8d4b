import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'

/** A `numeric` column, as exact decimal text. Never a float. */
type Numeric = string
/** Defaults to the database's current time. */
type CreatedAt = ColumnType<Date, Date | undefined, never>

export type AccountStatus = 'active' | 'suspended' | 'frozen'

/** player: a person; bot: declared as a bot by its owner; house: a bot run by the house. */
export type AccountKind = 'player' | 'bot' | 'house'

/** A registered player. What they own is in `accounts` and `holdings`. */
export interface UsersTable {
  id: Generated<number>
  username: string
  /** Skeleton of the username, equal for look-alikes; unique. */
  username_key: string
  email: string
  /** The email in lower case; unique. */
  email_key: string
  wallet: string
  password_hash: string
  profile_picture_url: string | null
  warning: string | null
  created_at: CreatedAt
  /** active: may do everything; suspended: may sign in, read and sell; frozen: nothing. */
  standing: Generated<AccountStatus>
  /** The operator's reason, shown to the player. */
  standing_reason: Generated<string | null>
  /** When the account will be deleted, unless the player cancels it; null: not requested. */
  deletion_due_at: Generated<Date | null>
  /** When the account was deleted, except for its journal entries. */
  deleted_at: Generated<Date | null>
  /** When the email address was verified; null: never, or the server cannot send mail. */
  email_verified_at: Generated<Date | null>
  kind: Generated<AccountKind>
  /** Picture of a bot of the house: one emoji. */
  emoji: Generated<string | null>
  /** Its sentence about itself, at most 200 characters. */
  about: Generated<string | null>
  role: Generated<Role>
  /** Whether nobody else sees whom the player follows, is followed by, and what they wrote. */
  hides_follows: Generated<boolean>
  /** Whether their posts stay once the account is deleted. */
  keeps_posts: Generated<boolean>
}

export type Role = 'player' | 'moderator' | 'operator'

/** A span in which an account was declared as a bot by its owner; at most one of an account is open. */
export interface BotSpansTable {
  user_id: number
  since: Date
  /** Null: still is. */
  until: Date | null
}

/** A player's money. A separate, narrow row, since the engine locks and rewrites it on every trade. */
export interface AccountsTable {
  /** In the fairground, the player's id. Others come from a sequence of their own. */
  account_id: ColumnType<number, never, never>
  user_id: number
  /** SOL, 9 decimals, never negative. */
  sol_balance: Numeric
  /** SOL, 9 decimals, signed: closed trades, rug proceeds, launch fees. */
  realized_pnl: Numeric
}

/** SOL granted: to players as start balances and account resets, to the house's bots as such. Append-only journal. */
export interface GrantsTable {
  id: Generated<number>
  user_id: number
  kind: 'register' | 'reset' | 'house'
  amount: Numeric
  created_at: CreatedAt
}

/** An upload URL for one file of a player. */
export interface UploadsTable {
  /** `{player}-{random}`; also the object's name. */
  key: string
  user_id: number
  /** SHA-256 of the URL's secret. */
  secret_hash: Buffer
  created_at: Date
  expires_at: Date
  /** When the upload began; null: the URL is unused. */
  received_at: Date | null
  /** Bytes counted against quotas; the maximum while the upload runs. */
  bytes: number | null
}

/** A signed-in browser. Only the SHA-256 of its token is stored. */
export interface SessionsTable {
  token_hash: Buffer
  /** Public id for the player's list of sessions, independent of the token. */
  id: Generated<string>
  user_id: number
  created_at: CreatedAt
  /** Accurate to a few minutes. */
  last_used_at: Generated<Date>
  /** Address of the last use; null: not used since this column exists. */
  address: string | null
  /** For example "Firefox on Linux". */
  browser: string | null
  /** When it last authenticated, by password or otherwise. */
  confirmed_at: Date | null
  /** When it last proved a second factor; null: never. */
  factor_at: Generated<Date | null>
  /** Until when its token is accepted over HTTPS in a cookie without a prefix; null: never. */
  plain_cookie_until: Date | null
  expires_at: Date
}

/** A link that verifies an email address or changes to it; at most one per player, the newest. */
export interface EmailLinksTable {
  user_id: number
  /** SHA-256 of the secret in the link. */
  token_hash: Buffer
  email: string
  email_key: string
  created_at: Date
  expires_at: Date
}

/** A code for setting a new password, bound to the browser that requested it. */
export interface PasswordResetsTable {
  /** SHA-256 of the token in the browser's cookie. */
  token_hash: Buffer
  /** SHA-256 of the email's key. */
  account_key: Buffer
  /** Null: no account has this email, so no code is valid. */
  user_id: number | null
  /** argon2id of the six digits; null: only the link's secret is valid. */
  code_hash: string | null
  /** SHA-256 of the secret in the mailed link; null: none was mailed. */
  secret_hash: Generated<Buffer | null>
  /** Failed attempts by the requesting browser. */
  tries: Generated<number>
  created_at: Date
  expires_at: Date
}

/** A used proof of work, valid only once. Kept until its challenge expires. */
export interface SpentProofsTable {
  /** The challenge's expiry. */
  nonce: Buffer
  expires_at: Date
}

/** How much of a budget all callers have used in its current window. */
export interface SharedBudgetsTable {
  name: string
  began_at: Date
  spent: number
}

/** Failed attempts at an account's codes by browsers that did not request them. */
export interface PasswordResetGuessesTable {
  account_key: Buffer
  /** Times of the last day's attempts, oldest first. */
  guessed_at: Date[]
}

/** An API key. Only its SHA-256 is stored. */
export interface ApiKeysTable {
  id: Generated<number>
  user_id: number
  name: string
  scopes: ('market' | 'read' | 'trade' | 'reset' | 'talk')[]
  key_hash: Buffer
  created_at: Date
  /** Accurate to about a minute. */
  last_used_at: Date | null
  /** Null: does not expire. */
  expires_at: Generated<Date | null>
  /** Allowed networks in CIDR notation; empty: all. */
  networks: Generated<string[]>
  /** SOL that it may spend in a UTC day. Null: no limit. */
  spending_limit: Generated<string | null>
  /** SOL that it spent on the UTC day `spent_on`, kept for keys with a limit only. */
  spent: Generated<string>
  spent_on: string | null
}

/** A security event of an account; kept for 90 days. */
export interface AccountEventsTable {
  id: Generated<number>
  user_id: number
  kind: string
  /** Time of the last event if the row counts several. */
  at: Date
  /** Null: caused by an operator's command or a job of the server. */
  address: string | null
  /** For example "Firefox on Linux". */
  browser: string | null
  detail: ColumnType<Record<string, string | number | boolean | null>, string, string>
  /** Equal events with the same key share a row; null: a separate row. */
  merge_key: string | null
  times: Generated<number>
  /** Whether the server's security log has it; false at first for events written by commands. */
  is_logged: Generated<boolean>
}

/** Of earlier versions: no longer used. */
export interface EngineLeaseTable {
  id: Generated<number>
  /** Counts the leaders. */
  term: number
  /** Identifies the leader's process. */
  node: string
  /** The leader's machine: others cannot reach it by a loopback address. */
  host: string
  /** Where it takes the orders of other nodes: host and port. */
  address: string
  /** By the database's clock. */
  expires_at: Date
}

/** Secret keys shared by all nodes, generated at first use. */
export interface ServerKeysTable {
  name: string
  key: Buffer
  created_at: CreatedAt
}

/** A player's TOTP secret; a second factor once confirmed by a code. */
export interface TotpSecretsTable {
  user_id: number
  /** Encrypted; see `secret-box.ts` of the API. */
  sealed: Buffer
  created_at: Date
  /** Null: not confirmed by a code yet. */
  enabled_at: Date | null
  /** Time step (30 s since 1970) of the last used code; it and older ones are refused. */
  last_step: number | null
}

/** Wrong TOTP codes of the last day, counted separately for trusted browsers and all others. */
export interface TotpTriesTable {
  user_id: number
  is_known: boolean
  /** Oldest first. */
  tried_at: Date[]
}

/** Unused recovery codes. */
export interface RecoveryCodesTable {
  user_id: number
  /** The first two characters, which select the hash to compare. */
  selector: string
  /** argon2id of the whole code. */
  code_hash: string
}

/** A player's WebAuthn user handle: random, so that it reveals nothing. */
export interface PasskeyOwnersTable {
  user_id: number
  handle: Buffer
}

export interface PasskeysTable {
  id: Generated<number>
  user_id: number
  credential_id: Buffer
  /** In COSE format. */
  public_key: Buffer
  /** The authenticator's signature counter; 0 if it has none. */
  counter: number
  transports: string[]
  /** The relying party: the only domain it works at. */
  rp_id: string
  /** Whether it can be synced to several devices. */
  is_synced: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** A WebAuthn challenge: valid once, for minutes, for one browser. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the browser's token or session token. */
  holder: Buffer
  purpose: 'login' | 'confirm' | 'add'
  /** Null: not signed in. */
  user_id: number | null
  challenge: Buffer
  expires_at: Date
}

/** A launch: append-only journal and the token's description. */
export interface TokensTable {
  id: Generated<number>
  creator_id: number
  name: string
  symbol: string
  emoji: string
  description: string | null
  website: string | null
  x: string | null
  telegram: string | null
  supply: Numeric
  launch_price: Numeric
  launch_fee: Numeric
  /** The creator's idempotency key, and the order's fingerprint. */
  request_key: string | null
  request_hash: string | null
  created_at: CreatedAt
  /** When an operator hid it; null: visible. */
  hidden_at: Generated<Date | null>
  /** Whether `rugs` has it: kept by a trigger, for indexes of the open tokens. */
  is_rugged: Generated<boolean>
  /** 1: the fairground. */
  fair_id: Generated<number>
}

/** A token's pool now, with its last sequence number, its chain's head and three forming candles. */
export interface PoolsTable {
  token_id: number
  /** Virtual plus real SOL; 0 after a rug pull. */
  sol_reserve: Numeric
  /** The part of `sol_reserve` that sets the price and is never paid out. */
  virtual_sol: Numeric
  token_reserve: Numeric
  /** SOL: all fees this pool's trades have paid to the treasury. */
  fees: Numeric
  /** `sol_reserve / token_reserve`, cut to 18 decimals. */
  price: Numeric
  /** Number of the token's last journal entry (trade or rug pull); gapless from 1. */
  seq: number
  /** Time of the last journal entry or the launch; never decreases. */
  last_event_at: Date
  rugged_at: Date | null
  /** SHA-256 of the last journal entry or the launch: the head of the token's chain. */
  chain_head: Buffer
  /** Number of the last row of `seals`; 0: never sealed. */
  seals: Generated<number>
  /** Before then it cannot be rugged; null: never sealed. */
  sealed_until: Date | null
  /** Before then its creator keeps at least `bag_sealed_tokens`; null: the bag is not sealed. */
  bag_sealed_until: Date | null
  bag_sealed_tokens: Generated<Numeric>
  /** `hash` of the last row of `seals`. */
  seal_head: Buffer | null
  /** When its fair ends, by the database's clock; null: never, as in the fairground. */
  closes_at: Date | null
  /** Version of what the columns below say: counts their changes. */
  book: Generated<number>
  /** A price of this or less reaches an order that waits; null: none. May be nearer than the nearest order. */
  book_below: Numeric | null
  /** A price of this or more reaches an order that waits; null: none. May be nearer than the nearest order. */
  book_above: Numeric | null
  /** Number of the last cascade: what followed a trade that reached orders. */
  cascade: Generated<number>
  /** Price before the trade that began the cascade under way; null: none is. */
  cascade_from: Numeric | null
  /** The lowest price since then. */
  cascade_low: Numeric | null
  /** Batches that it took so far. */
  cascade_batches: Generated<number>
}

export type WaitingOrderKind = 'buy' | 'sale' | 'stop' | 'bracket'
export type WaitingOrderState = 'waiting' | 'filled' | 'cancelled' | 'expired'

/** An order that waits for a price, or did. Its fills are trades, with the keys `order ID fill N`. */
export interface WaitingOrdersTable {
  id: Generated<number>
  token_id: number
  user_id: number
  account_id: number
  kind: WaitingOrderKind
  /** SOL a token, fee included: the worst marginal price of a limit buy, a limit sale, and of a bracket's target. */
  price: Numeric | null
  /** The spot price that triggers a stop, and a bracket's. */
  stop_price: Numeric | null
  /** The worst marginal price of a sale that a stop triggered; null: any. */
  least_price: Numeric | null
  /** SOL of a buy, tokens of the others. Null: an ended order without a fill, whose terms are no longer kept. */
  amount: Numeric | null
  left_amount: Numeric
  /** A spot price of this or less reaches it. */
  below: Numeric | null
  /** A spot price of this or more reaches it. */
  above: Numeric | null
  /** Number of the cascade that filled it last. */
  filled_in: Generated<number>
  fills: Generated<number>
  /** API key that placed it. */
  key_id: number | null
  /** The order that this one took the place of. */
  replaces: number | null
  request_key: string
  /** What a repeat must ask for: `computeFingerprint`. */
  digest: string
  placed_at: Date
  expires_at: Date
  state: Generated<WaitingOrderState>
  /** Code of what ended it, where it was not filled. */
  cause: string | null
  ended_at: Date | null
  /** Place of its last change among the ids of trades. */
  position: Generated<number>
}

/** A player's holding of a token and its cost (average cost, fees included). */
export interface HoldingsTable {
  /** A row stays, with amount 0, when all is sold. */
  token_id: number
  user_id: number
  amount: Numeric
  cost: Numeric
  /** Generated column: at least 1/2000 of the supply. */
  is_large: ColumnType<boolean, never, never>
}

/** All trades: append-only journal. Reserves are those right after the trade. */
export interface TradesTable {
  id: Generated<number>
  token_id: number
  seq: number
  user_id: number
  side: 'buy' | 'sell'
  /** Buy: SOL paid, fee included. Sell: SOL received, after the fee. */
  sol_amount: Numeric
  fee: Numeric
  token_amount: Numeric
  /** Average price of the trade: `sol_amount / token_amount`. */
  price: Numeric
  sol_reserve: Numeric
  token_reserve: Numeric
  spot_price: Numeric
  /** The player's idempotency key of the order. */
  request_key: string | null
  created_at: Date
  /** SHA-256 over the previous hash and this entry, in the format of `@papermoon/chain`. */
  hash: Buffer
}

/** A rug pull: the creator drained the real SOL of a pool and closed it permanently. Append-only journal. */
export interface RugsTable {
  token_id: number
  seq: number
  user_id: number
  amount: Numeric
  /** The creator's idempotency key. */
  request_key: string | null
  created_at: Date
  /** Same meaning as in `trades`. */
  hash: Buffer
  /** Its place among the trades, from the sequence of their ids; null: before places were kept. */
  position: Generated<number | null>
}

/** Each time a creator sealed a token or made its seal longer, with a hash chain of its own for each token. */
export interface SealsTable {
  token_id: number
  /** From 1, without a gap. */
  n: number
  kind: 'sealed' | 'renewed'
  /** Number of the token's last trade before it. */
  seq: number
  user_id: number
  /** What was asked for. */
  term: 'hour' | 'day' | 'week' | 'ever'
  with_bag: boolean
  /** The seal from then on. */
  until: Date
  bag_until: Date | null
  bag_tokens: Numeric
  /** The creator's idempotency key; null: made by the launch. */
  request_key: string | null
  created_at: Date
  /** SHA-256 over the hash before and these figures. */
  hash: Buffer
  /** Its place among the trades, from the sequence of their ids. */
  position: Generated<number>
  /** What has been told of its end: 1 an hour before, 2 five minutes before, 3 that it is over, or that another replaced it. */
  told: Generated<number>
  /** The place of its end among the trades; null: not ended, or replaced before. */
  ended_position: number | null
}

/**
 * Spot-price candles, one row per token, width and bucket, written by the engine. A view of `closed_candles` and of the forming
 * candles in `pools`.
 */
export interface CandlesTable {
  token_id: number
  /** Seconds: 60, 3600 or 86400. */
  width: number
  /** Start of the bucket, a multiple of `width` since the epoch. */
  bucket: Date
  open: Numeric
  high: Numeric
  low: Numeric
  close: Numeric
  /** SOL that buyers paid, and that sellers were paid before the fee. */
  volume: Numeric
  trades: number
}

/** All holdings of a token right after one of its trades: may be deleted, and is computed again (`features/tokens/past`). */
export interface HolderCheckpointsTable {
  token_id: number
  /** Number of the trade. */
  seq: number
  /** By user id, 12 bytes a holder: the id in 4, millionths of a token (above 0) in 8, big-endian. */
  holdings: Buffer
  /** Start of the trade's minute, and that minute's candle right after the trade. */
  minute: Date
  minute_open: Numeric
  minute_high: Numeric
  minute_low: Numeric
  minute_volume: Numeric
}

/** A closed giveaway window of six hours; it may have no winners. */
export interface GiveawayWindowsTable {
  /** 00, 06, 12 or 18 h UTC. */
  started_at: Date
  closed_at: Date
}

/** A player with a profit in a window, at the time it was closed. */
export interface WindowWinnersTable {
  window_started_at: Date
  /** From 1. */
  rank: number
  user_id: number
  username: string
  wallet: string
  /** How many accounts had this wallet when the winner registered, the winner's included. */
  wallet_accounts: number
  account_created_at: Date
  /** SOL, above 0. */
  profit: Numeric
  trades: number
  /** Number of other players who traded the same tokens in the window. */
  counterparties: number
  /** How many accounts no younger signed in from a browser of the winner's, the winner's included. */
  browser_accounts: Generated<number>
  /** Account that paid the largest part of the profit, and the part; null: nobody or unknown. */
  source_user_id: number | null
  source_percent: number | null
  /** Whether that account signed in from a browser of the winner's. */
  source_shares_browser: Generated<boolean>
}

/** A browser an account signed in from; kept for 90 days after the last sign-in. */
export interface AccountBrowsersTable {
  user_id: number
  /** SHA-256 of the random token in the browser's cookie. */
  browser_hash: Buffer
  first_seen_at: Date
  last_seen_at: Date
}

/** The result of a full replay of the journal. */
export interface AuditsTable {
  id: Generated<number>
  started_at: Date
  finished_at: Date
  /** Largest id of the replayed trades; null: there were none. */
  last_trade_id: number | null
  trades: number
  tokens: number
  players: number
  differences: number
}

export interface HeadPublicationsTable {
  /** A full hour, UTC. */
  hour: Date
  /** Later than the hour if no server was running. */
  published_at: Date
  tokens: number
  /** Digest of the previous publication; null: the first. */
  previous: Buffer | null
  /** SHA-256 of the publication's text, in the format of `@papermoon/chain`. */
  digest: Buffer
}

/** The head of a chain that has changed since the previous publication; valid until the token's next row. */
export interface PublishedHeadsTable {
  token_id: number
  hour: Date
  seq: number
  hash: Buffer
}

/** A network from which someone looked at a token's page lately; unlogged. */
export interface WatchersTable {
  token_id: number
  /** Keyed hash of the network. */
  viewer: Buffer
  seen_at: Date
}

/** A token that a player has starred. */
export interface WatchlistTable {
  user_id: number
  token_id: number
  starred_at: Date
}

/** The tape of a day: a stretch of a token's past that everyone plays. */
export interface TapesTable {
  /** UTC. */
  day: string
  /** Null, as are the numbers: a made-up market. */
  token_id: number | null
  from_seq: number | null
  to_seq: number | null
  /** What prices are multiplied by before they are shown. */
  factor: Numeric
  /** Milliseconds of the play and SOL a token. */
  points: ColumnType<(readonly [ms: number, price: string])[], string, never>
  /** The text that names the choice; its SHA-256 is told before. */
  proof: string
  made_at: Date
}

/** A play of a day's tape, by an account or by a guest. */
export interface TapePlaysTable {
  /** Unguessable. */
  id: string
  day: string
  user_id: number | null
  /** SHA-256 of a guest's browser token; null once an account has the play. */
  browser_hash: Buffer | null
  started_at: Date
  /** Milliseconds since `started_at`; null: not done. */
  bought_ms: number | null
  sold_ms: number | null
  /** SOL, and a square for each ninth: what they will be if nothing more is done. */
  gain: Numeric
  strip: string
}

/** The demo world of this database; at most one row, none if it never had one. */
export interface DemoWorldTable {
  /** Always 1. */
  id: Generated<number>
  /** writing: its history is incomplete; running: the house's bots trade; retiring: they sell out; retired: they have left. */
  state: 'writing' | 'running' | 'retiring' | 'retired'
  /** Random seed of its history. */
  seed: number
  began_at: Date
  /** When its history was complete. */
  written_at: Date | null
  retired_at: Date | null
}

/** How far the notices' job has followed the market, and which node does it; one row. */
export interface NoticePositionTable {
  /** Always 1. */
  id: Generated<number>
  /** Trades and rug pulls up to this entry of the journal have been looked at. */
  trade_id: number
  /** Launches up to this token have been looked at. */
  token_id: Generated<number>
  /** The same in the market of fairs, for webhooks. */
  fair_trade_id: Generated<number>
  fair_token_id: Generated<number>
  /** Rug pulls before this time have been looked at. Read by releases up to 0.2.0. */
  rugs_since: Date
  /** The players of the last Top 3 that was looked at, best first; null: none was. */
  top_three: number[] | null
  /** The node that follows the market until `held_until`; null: none. */
  holder: string | null
  held_until: Date | null
  /** Stickers were given for trades and rug pulls, launches, day-old trades and closed windows up to these. */
  sticker_entry: Generated<number>
  sticker_token: Generated<number>
  sticker_day_entry: Generated<number>
  sticker_at: Generated<Date>
}

/** A sticker that a player got for an event of the journal. */
export interface StickersTable {
  user_id: number
  /** Its id in `sticker-list.ts`. */
  sticker: string
  token_id: number | null
  /** The token's sequence number at which it was earned. */
  seq: number | null
  /** Time of the event. */
  at: Date
}

export type NoticeKind =
  | ('rug' | 'whale' | 'top3' | 'alert' | 'sticker' | 'buyer' | 'holder' | 'milestone' | 'seal')
  | ('mention' | 'reply' | 'reaction' | 'follower' | 'post' | 'moderation' | 'order')

/** Something that happened and is told to one player or many. */
export interface NoticeCausesTable {
  id: Generated<number>
  /** Equal causes within a while share a row. */
  key: string
  kind: NoticeKind
  token_id: number | null
  /** Player who rugged, sold, or took the place. */
  actor_id: number | null
  /** The token's sequence number when it happened last. */
  seq: number | null
  /** How often it happened. */
  times: Generated<number>
  /** Sums over all times: tokens sold, and SOL received. */
  tokens: Numeric | null
  sol: Numeric | null
  detail: ColumnType<Record<string, string | number>, string | undefined, string>
  created_at: Date
  last_at: Date
  /** While holders are being told: the last player who was; null: all were. */
  told_to: number | null
  /** When telling them began last. */
  told_at: Date | null
}

/** A notice of a player: the newest hundred, for 30 days. */
export interface NoticesTable {
  /** Increases in the order of commits, so it is a cursor. */
  id: Generated<number>
  user_id: number
  cause_id: number
  /** Copied from the cause. */
  kind: NoticeKind
  token_id: number | null
  created_at: Date
  read_at: Date | null
}

/** A player's choices about notices; no row: none. */
export interface NoticeSettingsTable {
  user_id: number
  muted: NoticeKind[]
}

/** A player's wish to be told of a price, once. */
export interface PriceAlertsTable {
  id: Generated<number>
  user_id: number
  token_id: number
  /** Value entered by the player: SOL a token, SOL of market cap, or percent from the price at that time. */
  measure: 'price' | 'marketCap' | 'percent'
  value: Numeric
  direction: 'above' | 'below'
  /** SOL: the price that fires it. */
  price: Numeric
  /** The token's sequence number when it was made; only later trades fire it. */
  since_seq: number
  /** Not looked at yet. */
  is_new: Generated<boolean>
  created_at: Date
  /** When it fired, or could no longer be reached; null: waiting. */
  done_at: Date | null
  /** The trade or rug pull that fired it; null: none did. */
  done_seq: number | null
}

/** A browser that shows push messages of a player, as long as the session that subscribed it. */
export interface PushDevicesTable {
  id: Generated<number>
  user_id: number
  session_hash: Buffer
  /** The push service's address of it. */
  endpoint: string
  /** Its keys, in base64url. */
  p256dh: string
  auth: string
  created_at: Date
  /** When its push service no longer took messages for it; kept, so that its browser does not add it again. */
  gone_at: Date | null
}

/** A message to deliver, at least once; deleted when it is delivered or given up. */
export interface OutboxTable {
  id: Generated<number>
  channel: 'push' | 'webhook'
  user_id: number
  /** Where to: a push device, or a webhook. */
  target_id: number
  /** What: a notice, or the webhook's message. Receivers take equal ids for the same message. */
  message_id: number
  created_at: Date
  /** When it may be sent (again). A worker that takes it moves this on, so that it comes again if the worker dies. */
  due_at: Date
  attempts: Generated<number>
  last_error: string | null
  /** Content of a webhook's message: its kind, and the journal positions between which its events are. */
  detail: ColumnType<Record<string, unknown> | null, string | undefined, string>
}

/** An address of a player that gets events. */
export interface WebhooksTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the address: it is sealed, since addresses of Discord are secrets. */
  url_hash: Buffer
  url_sealed: Buffer
  /** Its host, for logs and account events. */
  host: string
  format: 'standard' | 'discord'
  /** Kinds of events that it gets. */
  events: string[]
  /** Tokens whose trades and rug pulls it gets; null: all. */
  token_ids: number[] | null
  /** Key that signs its messages. */
  secret_sealed: Buffer
  /** The secret before, which signs too until `old_secret_until`. */
  old_secret_sealed: Buffer | null
  old_secret_until: Date | null
  created_at: Date
  /** When the address answered its challenge; null: not yet, and nothing else is sent. */
  verified_at: Date | null
  /** When it was given up: it failed for a day, or answered 410; null: it was not. */
  stopped_at: Date | null
  /** Trades, launches, rug pulls (causes) and notices up to these ids are in a message, or are none of its events. */
  trade_id: Generated<number>
  token_id: Generated<number>
  cause_id: Generated<number>
  notice_id: Generated<number>
  /** Fairs whose events it gets instead of the fairground's, with its places among them; null: the fairground's. */
  fairs: number[] | null
  fair_trade_id: Generated<number>
  fair_token_id: Generated<number>
  fair_rug_id: Generated<number>
  fair_moment_id: Generated<number>
  /** Whether there may be events after these ids. */
  is_ready: Generated<boolean>
  /** Until when a worker has it; then the next message may be sent. */
  busy_until: Generated<Date>
  /** Messages so far. */
  messages: Generated<number>
  /** Events that grew older than a day unsent, and that no message has counted yet. */
  missed: Generated<number>
  /** When the first of the last failures in a row was; null: the last message was taken. */
  failing_since: Date | null
  /** The last try: when it ended, its HTTP status, or why there was none. */
  last_at: Date | null
  last_status: number | null
  last_error: string | null
}

export type FairKind = 'fairground' | 'arena' | 'season' | 'room' | 'cup' | 'sandbox'

/** A market of its own: its stakes, tokens, ranking and clock. Fair 1 is the fairground, which never ends. */
export interface FairsTable {
  id: Generated<number>
  kind: FairKind
  name: string
  /** The player who made it; null: the house. */
  host_id: number | null
  /** SOL that each entrant gets once. */
  stake: Numeric
  /** When one may enter first. */
  lobby_at: Date
  /** When trading opens: as planned, and once it is open as it happened. */
  starts_at: Date
  /** The latest moment of the bell, which is told; null: never. */
  ends_at: Date | null
  /** The bell falls in so many seconds before `ends_at`. */
  bell_window_s: Generated<number>
  /** When trading ends: drawn from `secret` at the opening, and told with the results. */
  bell_at: Date | null
  /** 32 random bytes whose SHA-256 is told from the beginning. */
  secret: Buffer
  /** Who may launch tokens. */
  launches: Generated<'all' | 'host' | 'nobody'>
  rugs: Generated<boolean>
  /** Whether one may enter after the opening. */
  late_entry: Generated<boolean>
  /** Whether everyone is ranked, with nothing taken off the score, as in rooms. */
  everyone_ranks: Generated<boolean>
  /** Whether everyone’s waiting orders are shown, summed by price. */
  depth: Generated<boolean>
  /** Tokens that the house launches at the opening, and bots of the house that enter. */
  house_tokens: Generated<number>
  bots: Generated<number>
  entrants_max: number
  /** SHA-256 of the secret in the link that lets one in; null: everyone may enter. */
  invite_hash: Buffer | null
  /** Keyed hash of the network that a host made it from; null: of the house, ended, or made without rate limits. */
  made_from: Buffer | null
  state: Generated<'lobby' | 'open' | 'settled' | 'void'>
  /** Why it began late or without bots, or does not count. */
  note: string | null
  /** How fast the bots of a sandbox trade. */
  speed: Generated<number>
  /** When a server looked at the running fair last, and for how long none did. */
  seen_at: Date | null
  lost_ms: Generated<number>
  created_at: CreatedAt
  started_at: Date | null
  settled_at: Date | null
}

/** Start, end and results of fairs, written by a trigger of `fairs`. Rows are in the schema `fairs` alone. */
export interface FairMomentsTable {
  /** Place in the journal: from the sequence of trade ids. */
  position: Generated<number>
  fair_id: number
  moment: 'start' | 'end' | 'settled' | 'void'
  created_at: CreatedAt
}

/** How an entrant did in a fair that has ended. Written once. */
export interface FairResultsTable {
  fair_id: number
  user_id: number
  /** From 1: the ranked ones first, then the others. */
  place: number
  /** SOL: balance and pool share. */
  standing: Numeric
  /** SOL: the standing without what any single other player lost to this one beyond a tenth of the stake. */
  score: Numeric
  is_ranked: boolean
  is_bot: boolean
  has_left: boolean
  trades: number
  /** 1: gold. */
  medal: number | null
}

/** A player's Glicko-2 rating over all arenas; computed from `fair_results`. */
export interface FairRatingsTable {
  user_id: number
  rating: number
  deviation: number
  volatility: number
  fairs: number
}

/** A player's money in one fair, in the schema `fairs`. */
export interface FairAccountsTable {
  account_id: Generated<number>
  fair_id: number
  user_id: number
  sol_balance: Numeric
  realized_pnl: Generated<Numeric>
  /** SOL given at the entry. */
  stake: Numeric
  entered_at: CreatedAt
  /** When the player left or was removed: the account stays in the sum, and may not trade. */
  left_at: Date | null
}

/** What someone wrote about a token or in a fair's lobby. Once in each market. */
export interface PostsTable {
  /** Of fairs other than the fairground: from 1,000,000,000 on. */
  id: Generated<number>
  /** The token, or minus the fair whose lobby it is in. */
  topic: number
  /** The post that it answers; null: none. */
  parent_id: number | null
  user_id: number
  /** Empty once it is deleted. */
  text: string
  /** Players whom it names. */
  mentions: Generated<number[]>
  /** The token's price when it was written; null in lobbies. */
  price: Numeric | null
  /** Number of the token's last trade by then. */
  seq: number | null
  state: Generated<'shown' | 'held' | 'hidden' | 'deleted'>
  /** Equal for texts that read alike. */
  skeleton: number
  /** Replies that are shown. */
  replies: Generated<number>
  /** How many of each kind. */
  reactions: Generated<number[]>
  /** Its place in the journal, from the sequence of trades; null: it was never shown. */
  position: number | null
  /** The place of its last change. */
  changed_position: number | null
  created_at: Date
  edited_at: Date | null
  /** SOL that the writer lost in the token, of a testimony; null: it is none. */
  lost: Numeric | null
}

export interface CourtVotesTable {
  /** A rugged token, of either market. */
  token_id: number
  user_id: number
  verdict: 'fair game' | 'scoundrel'
  /** SOL that the voter lost, at most 5. */
  weight: Numeric
  created_at: Date
}

export interface PostReactionsTable {
  post_id: number
  user_id: number
  /** Index in `REACTIONS`. */
  kind: number
}

export interface FollowsTable {
  user_id: number
  kind: 'player' | 'token'
  target_id: number
  created_at: Date
}

export interface BlocksTable {
  user_id: number
  blocked_user_id: number
  created_at: Date
}

export type CaseKind = 'post' | 'token' | 'name' | 'picture'

/** Something that was reported or held back, however often: at most one open case of a thing. */
export interface CasesTable {
  id: Generated<number>
  kind: CaseKind
  target_id: number
  accused_user_id: number | null
  /** The fair that it is in; null: the fairground. */
  fair_id: number | null
  /** What it said when it was reported. */
  words: string
  /** Why it was held back; null: it was shown. */
  held_for: string | null
  reports: Generated<number>
  opened_at: Date
  decided_at: Date | null
  /** The act that decided it. */
  outcome: string | null
}

export interface ReportsTable {
  id: Generated<number>
  case_id: number
  user_id: number
  reason: 'spam' | 'abuse' | 'hate' | 'sexual' | 'scam' | 'other'
  note: string | null
  created_at: Date
}

export interface MutesTable {
  user_id: number
  /** The room whose host muted; 0: everywhere. */
  fair_id: number
  until: Date
}

/** One row at most: the newest of `moderation_log`. */
export interface ModerationHeadTable {
  is_only: Generated<boolean>
  log_id: number
  hash: Buffer
}

/** Every act of a moderator: append-only, each row's hash over the one before. */
export interface ModerationLogTable {
  /** From 1, without a gap. */
  id: number
  at: Date
  /** Null: an operator's command. */
  actor_id: number | null
  as_role: 'moderator' | 'operator' | 'host' | 'command'
  act: string
  kind: CaseKind | 'player' | 'word' | 'fair' | 'bound' | 'announcement'
  target_id: number
  concerned_id: number | null
  case_id: number | null
  /** The row that it takes back. */
  undoes: number | null
  detail: string
  /** SHA-256 of the row of `moderation_words`, which is erased one day. */
  words_hash: Buffer
  hash: Buffer
}

/** Words and reasons beside the log; kept for a year. */
export interface ModerationWordsTable {
  log_id: number
  /** Without it, short words could be found by their hash. */
  salt: Buffer
  words: string
  reason: string
}

export interface AppealsTable {
  log_id: number
  user_id: number
  words: string
  created_at: Date
  decided_at: Date | null
  is_granted: boolean | null
}

/** Words that an operator wants to see before they are shown. */
export interface HeldWordsTable {
  word: string
  created_at: Date
}

/** The database, or a transaction in it. */
export type Db = Kysely<Database>
/** For what has to be in a transaction. */
export type Tx = Transaction<Database>

/** The whole schema, for Kysely. */
export interface Database {
  users: UsersTable
  accounts: AccountsTable
  grants: GrantsTable
  sessions: SessionsTable
  email_links: EmailLinksTable
  password_resets: PasswordResetsTable
  password_reset_guesses: PasswordResetGuessesTable
  spent_proofs: SpentProofsTable
  shared_budgets: SharedBudgetsTable
  api_keys: ApiKeysTable
  uploads: UploadsTable
  account_events: AccountEventsTable
  engine_lease: EngineLeaseTable
  server_keys: ServerKeysTable
  totp_secrets: TotpSecretsTable
  totp_tries: TotpTriesTable
  recovery_codes: RecoveryCodesTable
  passkey_owners: PasskeyOwnersTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
  account_browsers: AccountBrowsersTable
  tokens: TokensTable
  pools: PoolsTable
  holdings: HoldingsTable
  trades: TradesTable
  rugs: RugsTable
  seals: SealsTable
  waiting_orders: WaitingOrdersTable
  candles: CandlesTable
  holder_checkpoints: HolderCheckpointsTable
  giveaway_windows: GiveawayWindowsTable
  window_winners: WindowWinnersTable
  audits: AuditsTable
  head_publications: HeadPublicationsTable
  published_heads: PublishedHeadsTable
  bot_spans: BotSpansTable
  fairs: FairsTable
  fair_moments: FairMomentsTable
  fair_results: FairResultsTable
  fair_ratings: FairRatingsTable
  watchlist: WatchlistTable
  watchers: WatchersTable
  tapes: TapesTable
  tape_plays: TapePlaysTable
  demo_world: DemoWorldTable
  stickers: StickersTable
  notice_position: NoticePositionTable
  notice_causes: NoticeCausesTable
  notices: NoticesTable
  notice_settings: NoticeSettingsTable
  price_alerts: PriceAlertsTable
  push_devices: PushDevicesTable
  outbox: OutboxTable
  webhooks: WebhooksTable
  posts: PostsTable
  court_votes: CourtVotesTable
  post_reactions: PostReactionsTable
  follows: FollowsTable
  blocks: BlocksTable
  cases: CasesTable
  reports: ReportsTable
  mutes: MutesTable
  moderation_head: ModerationHeadTable
  moderation_log: ModerationLogTable
  moderation_words: ModerationWordsTable
  appeals: AppealsTable
  held_words: HeldWordsTable
}

/** The tables of a connection whose search path begins with the schema `fairs`: the same for the market of all other fairs. */
export type FairsDatabase = Omit<Database, 'accounts'> & { accounts: FairAccountsTable }
