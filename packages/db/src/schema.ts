import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'

/** A `numeric` column as exact decimal text, never a float. */
type Numeric = string
/** A column that defaults to the database's current time. */
type CreatedAt = ColumnType<Date, Date | undefined, never>

export type AccountStatus = 'active' | 'suspended' | 'frozen'

/** player: a person; bot: declared as a bot by its owner; house: a bot run by the house. */
export type AccountKind = 'player' | 'bot' | 'house'

/** A registered player. `accounts` and `holdings` contain what the player owns. */
export interface UsersTable {
  id: Generated<number>
  username: string
  /** Skeleton of the username, which look-alike names share; unique. */
  username_key: string
  email: string
  /** The email address in lower case; unique. */
  email_key: string
  wallet: string
  password_hash: string
  profile_picture_url: string | null
  warning: string | null
  created_at: CreatedAt
  /** active: can do everything; suspended: can log in, read and sell; frozen: can do nothing. */
  standing: Generated<AccountStatus>
  /** The operator's reason, shown to the player. */
  standing_reason: Generated<string | null>
  /** When the account will be deleted, unless the player cancels the deletion; null: not requested. */
  deletion_due_at: Generated<Date | null>
  /** When the account was deleted, except for its journal entries. */
  deleted_at: Generated<Date | null>
  /** When the email address was verified; null: never, or the server cannot send mail. */
  email_verified_at: Generated<Date | null>
  kind: Generated<AccountKind>
  /** A house bot's picture: one emoji. */
  emoji: Generated<string | null>
  /** A house bot's sentence about itself, at most 200 characters. */
  about: Generated<string | null>
  role: Generated<Role>
  /** Whether the player hides whom they follow, their followers, and their posts. */
  hides_follows: Generated<boolean>
  /** Whether the player's posts stay when the account is deleted. */
  keeps_posts: Generated<boolean>
}

export type Role = 'player' | 'moderator' | 'operator'

/** A period in which the owner declared the account as a bot. At most one period per account is open. */
export interface BotSpansTable {
  user_id: number
  since: Date
  /** End of the period; null: the account is still declared as a bot. */
  until: Date | null
}

/** A player's money. A separate, narrow row, because the engine locks and rewrites it on every trade. */
export interface AccountsTable {
  /** The player's id in the fairground. Other accounts' ids come from their own sequence. */
  account_id: ColumnType<number, never, never>
  user_id: number
  /** SOL, 9 decimals, never negative. */
  sol_balance: Numeric
  /** Realized profit in SOL with 9 decimals, signed: closed trades, rug proceeds, launch fees. */
  realized_pnl: Numeric
}

/** SOL granted to players as starting balances and account resets, and to house bots. Append-only journal. */
export interface GrantsTable {
  id: Generated<number>
  user_id: number
  kind: 'register' | 'reset' | 'house'
  amount: Numeric
  created_at: CreatedAt
}

/** An upload URL for one file of a player. */
export interface UploadsTable {
  /** `{player}-{random}`, which is also the stored object's name. */
  key: string
  user_id: number
  /** SHA-256 of the URL's secret. */
  secret_hash: Buffer
  created_at: Date
  expires_at: Date
  /** When the upload began; null: the URL is unused. */
  received_at: Date | null
  /** Number of bytes that count against quotas. While the upload runs, the maximum. */
  bytes: number | null
}

/** A logged-in browser. Only the SHA-256 of its token is stored. */
export interface SessionsTable {
  token_hash: Buffer
  /** Public id in the player's list of sessions, independent of the token. */
  id: Generated<string>
  user_id: number
  created_at: CreatedAt
  /** Accurate to a few minutes. */
  last_used_at: Generated<Date>
  /** IP address of the last use; null: not used since this column exists. */
  address: string | null
  /** The browser's name, for example "Firefox on Linux". */
  browser: string | null
  /** When the player last authenticated in this session, by password or otherwise. */
  confirmed_at: Date | null
  /** When the player last proved a second factor in this session; null: never. */
  factor_at: Generated<Date | null>
  /** Until when the server accepts the token over HTTPS in a cookie without a prefix; null: never. */
  plain_cookie_until: Date | null
  expires_at: Date
}

/** A mailed link that verifies an email address or changes to it. At most one per player, the newest. */
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
  /** SHA-256 of `email_key`. */
  account_key: Buffer
  /** Null: no account has this email address, so no code is valid. */
  user_id: number | null
  /** argon2id of the six digits; null: only the link's secret is valid. */
  code_hash: string | null
  /** SHA-256 of the secret in the mailed link; null: none was mailed. */
  secret_hash: Generated<Buffer | null>
  /** Number of failed attempts by the requesting browser. */
  tries: Generated<number>
  created_at: Date
  expires_at: Date
}

/** A used proof of work, which is valid only once. Stored until its challenge expires. */
export interface SpentProofsTable {
  /** When the challenge expires. */
  nonce: Buffer
  expires_at: Date
}

/** How much of a budget all callers together have used in its current window. */
export interface SharedBudgetsTable {
  name: string
  began_at: Date
  spent: number
}

/** Failed attempts at an account's reset codes by browsers that did not request them. */
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
  /** When the key expires; null: never. */
  expires_at: Generated<Date | null>
  /** Allowed networks in CIDR notation; empty: all. */
  networks: Generated<string[]>
  /** Max SOL that the key can spend in a UTC day; null: no limit. */
  spending_limit: Generated<string | null>
  /** SOL that the key spent on the UTC day `spent_on`. Only stored for keys with a limit. */
  spent: Generated<string>
  spent_on: string | null
}

/** A security event of an account; stored for 90 days. */
export interface AccountEventsTable {
  id: Generated<number>
  user_id: number
  kind: string
  /** Time of the event; of the last event if the row counts several. */
  at: Date
  /** Null: caused by an operator's command or a server job. */
  address: string | null
  /** The browser's name, for example "Firefox on Linux". */
  browser: string | null
  detail: ColumnType<Record<string, string | number | boolean | null>, string, string>
  /** Equal events with the same key share a row; null: a separate row. */
  merge_key: string | null
  times: Generated<number>
  /** Whether the server's security log contains the event. False at first for events written by commands. */
  is_logged: Generated<boolean>
}

/** Used by earlier versions only. */
export interface EngineLeaseTable {
  id: Generated<number>
  /** Number of leaders so far. */
  term: number
  /** Identifies the leader's process. */
  node: string
  /** The leader's machine. Other machines cannot reach it by a loopback address. */
  host: string
  /** Host and port at which the leader accepts other nodes' orders. */
  address: string
  /** When the lease expires, by the database's clock. */
  expires_at: Date
}

/** Secret keys that all nodes share, generated at first use. */
export interface ServerKeysTable {
  name: string
  key: Buffer
  created_at: CreatedAt
}

/** A player's TOTP secret. It becomes a second factor when a code confirms it. */
export interface TotpSecretsTable {
  user_id: number
  /** The secret, encrypted; see `secret-box.ts` of the API. */
  sealed: Buffer
  created_at: Date
  /** When a code confirmed the secret; null: not yet. */
  enabled_at: Date | null
  /** Time step (30 s since 1970) of the last used code. That code and older ones are rejected. */
  last_step: number | null
}

/** Wrong TOTP codes of the last day, counted separately for trusted browsers and all others. */
export interface TotpTriesTable {
  user_id: number
  is_known: boolean
  /** Times of the wrong codes, oldest first. */
  tried_at: Date[]
}

/** Unused recovery codes. */
export interface RecoveryCodesTable {
  user_id: number
  /** The code's first two characters, which select the hash to compare. */
  selector: string
  /** argon2id of the whole code. */
  code_hash: string
}

/** A player's WebAuthn user handle. It is random, so that it reveals nothing. */
export interface PasskeyOwnersTable {
  user_id: number
  handle: Buffer
}

export interface PasskeysTable {
  id: Generated<number>
  user_id: number
  credential_id: Buffer
  /** The public key in COSE format. */
  public_key: Buffer
  /** The authenticator's signature counter; 0 if it has none. */
  counter: number
  transports: string[]
  /** The relying party: the only domain for which the passkey works. */
  rp_id: string
  /** Whether the passkey can be synced to several devices. */
  is_synced: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** A WebAuthn challenge: valid once, for some minutes, for one browser. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the browser's token or session token. */
  holder: Buffer
  purpose: 'login' | 'confirm' | 'add'
  /** Null: not logged in. */
  user_id: number | null
  challenge: Buffer
  expires_at: Date
}

/** A launch in the append-only journal, with the token's description. */
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
  /** When an operator hid the token; null: visible. */
  hidden_at: Generated<Date | null>
  /** Whether `rugs` contains the token. A trigger maintains the column, for indexes of open tokens. */
  is_rugged: Generated<boolean>
  /** The token's fair; 1: the fairground. */
  fair_id: Generated<number>
  /** The position of its launch in the journal; null: older than positions of launches. */
  position: Generated<number | null>
}

/** The counter of the journal's positions: one row, which a transaction locks until its commit. */
export interface JournalTable {
  is_only: Generated<boolean>
  /** The last position. Everything up to it is committed. */
  position: number
}

/** A token's current pool, with its last sequence number, its chain's last hash and three forming candles. */
export interface PoolsTable {
  token_id: number
  /** Virtual plus real SOL; 0 after a rug pull. */
  sol_reserve: Numeric
  /** The part of `sol_reserve` that sets the price and is never paid out. */
  virtual_sol: Numeric
  token_reserve: Numeric
  /** SOL of all fees that the pool's trades have paid to the treasury. */
  fees: Numeric
  /** `sol_reserve / token_reserve`, truncated to 18 decimals. */
  price: Numeric
  /** Number of the token's last journal entry (trade or rug pull); gapless from 1. */
  seq: number
  /** Time of the last journal entry or the launch; never decreases. */
  last_event_at: Date
  rugged_at: Date | null
  /** SHA-256 of the last journal entry or the launch: the last hash of the token's chain. */
  chain_head: Buffer
  /** Number of the last row in `seals`; 0: never sealed. */
  seals: Generated<number>
  /** Time until which the token cannot be rugged; null if the token was never sealed. */
  sealed_until: Date | null
  /** Time until which the creator must hold at least `bag_sealed_tokens`; null: the creator's tokens are not sealed. */
  bag_sealed_until: Date | null
  bag_sealed_tokens: Generated<Numeric>
  /** `hash` of the last row in `seals`. */
  seal_head: Buffer | null
  /** When the token's fair ends, by the database's clock; null: never, as in the fairground. */
  closes_at: Date | null
  /** Version of the columns below: the number of their changes. */
  book: Generated<number>
  /** A price at or below this reaches a waiting order; null: there is none. Can be nearer than the nearest order. */
  book_below: Numeric | null
  /**
   * A price at or above this reaches a waiting order; null: there is none. The value may be nearer to the price than
   * the nearest order.
   */
  book_above: Numeric | null
  /** Number of the last cascade: the fills after a trade that reached orders. */
  cascade: Generated<number>
  /** Price before the trade that began the running cascade; null: none is running. */
  cascade_from: Numeric | null
  /** Lowest price since the running cascade began. */
  cascade_low: Numeric | null
  /** Number of batches that the running cascade has taken so far. */
  cascade_batches: Generated<number>
}

export type WaitingOrderKind = 'buy' | 'sale' | 'stop' | 'bracket'
export type WaitingOrderState = 'waiting' | 'filled' | 'cancelled' | 'expired'

/** An order that waits for a price, or has ended. Its fills are trades with the keys `order ID fill N`. */
export interface WaitingOrdersTable {
  id: Generated<number>
  token_id: number
  user_id: number
  account_id: number
  kind: WaitingOrderKind
  /**
   * Limit price in SOL per token, including the fee: the worst marginal price for a limit buy, a limit sale, and a
   * bracket's target.
   */
  price: Numeric | null
  /** The spot price that triggers a stop order, or a bracket's stop. */
  stop_price: Numeric | null
  /** The worst marginal price for a triggered stop's sale; null: any price. */
  least_price: Numeric | null
  /**
   * Amount in SOL for a buy, in tokens for the others. Null: the order ended without a fill, and its terms were
   * deleted.
   */
  amount: Numeric | null
  left_amount: Numeric
  /** A spot price at or below this reaches the order. */
  below: Numeric | null
  /** A spot price at or above this reaches the order. */
  above: Numeric | null
  /** Number of the cascade that filled the order last. */
  filled_in: Generated<number>
  fills: Generated<number>
  /** API key that placed the order. */
  key_id: number | null
  /** The order that this order replaced. */
  replaces: number | null
  request_key: string
  /** Digest that a repeat of the order must match: `computeFingerprint`. */
  digest: string
  placed_at: Date
  expires_at: Date
  state: Generated<WaitingOrderState>
  /** Code of the reason why the order ended, unless it was filled. */
  cause: string | null
  ended_at: Date | null
  /** The journal's position of its last change. */
  position: Generated<number>
}

/** A player's holding of a token and its cost (average cost, including fees). */
export interface HoldingsTable {
  /** The token. The row stays, with amount 0, when the player has sold all tokens. */
  token_id: number
  user_id: number
  amount: Numeric
  cost: Numeric
  /** Generated column: whether the holding is at least 1/2000 of the supply. */
  is_large: ColumnType<boolean, never, never>
}

/** All trades: an append-only journal. Reserves are those right after the trade. */
export interface TradesTable {
  id: Generated<number>
  token_id: number
  seq: number
  user_id: number
  side: 'buy' | 'sell'
  /** For a buy, the SOL paid including the fee. For a sale, the SOL received after the fee. */
  sol_amount: Numeric
  fee: Numeric
  token_amount: Numeric
  /** Average price of the trade: `sol_amount / token_amount`. */
  price: Numeric
  sol_reserve: Numeric
  token_reserve: Numeric
  spot_price: Numeric
  /** The player's idempotency key for the order. */
  request_key: string | null
  created_at: Date
  /** SHA-256 over the previous hash and this entry, in the format of `@papermoon/chain`. */
  hash: Buffer
}

/** A rug pull: the creator took a pool's real SOL and closed the pool permanently. Append-only journal. */
export interface RugsTable {
  token_id: number
  seq: number
  user_id: number
  amount: Numeric
  /** The creator's idempotency key. */
  request_key: string | null
  created_at: Date
  /** SHA-256 with the same meaning as in `trades`. */
  hash: Buffer
  /** Its position in the journal; null: older than positions. */
  position: Generated<number | null>
}

/** Each time a creator sealed a token or extended its seal. Each token has its own hash chain of seals. */
export interface SealsTable {
  token_id: number
  /** Number of the seal, from 1 without a gap. */
  n: number
  kind: 'sealed' | 'renewed'
  /** Number of the token's last trade before the seal. */
  seq: number
  user_id: number
  /** The requested term. */
  term: 'hour' | 'day' | 'week' | 'ever'
  with_bag: boolean
  /** When the seal ends. */
  until: Date
  bag_until: Date | null
  bag_tokens: Numeric
  /** The creator's idempotency key; null: the seal was part of the launch. */
  request_key: string | null
  created_at: Date
  /** SHA-256 over the previous hash and these values. */
  hash: Buffer
  /** Its position in the journal. */
  position: Generated<number>
  /**
   * Number of notifications sent about the seal's end. 1: an hour before; 2: five minutes before; 3: the seal ended, or
   * another replaced it.
   */
  told: Generated<number>
  /** The position of its end; null: not ended, or replaced before. Negative: it gets one at the commit. */
  ended_position: number | null
}

/**
 * Spot-price candles, one row per token, width and bucket, written by the engine. A view of `closed_candles` and of the forming
 * candles in `pools`.
 */
export interface CandlesTable {
  token_id: number
  /** Width in seconds: 60, 3600 or 86400. */
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

/**
 * All holdings of a token right after one of its trades. Rows can be deleted, because they are computed again when
 * needed (`features/tokens/past`).
 */
export interface HolderCheckpointsTable {
  token_id: number
  /** Sequence number of the trade. */
  seq: number
  /** Holdings by user id, 12 bytes per holder: the id in 4, millionths of a token (above 0) in 8, big-endian. */
  holdings: Buffer
  /** Start of the trade's minute, and that minute's candle right after the trade. */
  minute: Date
  minute_open: Numeric
  minute_high: Numeric
  minute_low: Numeric
  minute_volume: Numeric
}

/** A closed giveaway window of six hours. It may have no winners. */
export interface GiveawayWindowsTable {
  /** Start at 00, 06, 12 or 18 h UTC. */
  started_at: Date
  closed_at: Date
}

/** A player with a profit in a window, at the time when the window was closed. */
export interface WindowWinnersTable {
  window_started_at: Date
  /** Rank in the window, from 1. */
  rank: number
  user_id: number
  username: string
  wallet: string
  /** Number of accounts that had this wallet when the winner registered, including the winner's. */
  wallet_accounts: number
  account_created_at: Date
  /** Profit in SOL, above 0. */
  profit: Numeric
  trades: number
  /** Number of other players who traded the same tokens in the window. */
  counterparties: number
  /**
   * Number of accounts, at least as old, that logged in from one of the winner's browsers, including the winner's
   * account.
   */
  browser_accounts: Generated<number>
  /** Account that paid the largest part of the profit, and that part in percent; null: none, or unknown. */
  source_user_id: number | null
  source_percent: number | null
  /** Whether that account logged in from one of the winner's browsers. */
  source_shares_browser: Generated<boolean>
}

/** A browser in which an account logged in; stored for 90 days after the last login. */
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
  /** Highest id of the replayed trades; null: there were no trades. */
  last_trade_id: number | null
  trades: number
  tokens: number
  players: number
  differences: number
}

export interface HeadPublicationsTable {
  /** A full hour in UTC. */
  hour: Date
  /** When the hashes were published. Later than the hour if no server was running. */
  published_at: Date
  tokens: number
  /** Digest of the previous publication; null: this is the first. */
  previous: Buffer | null
  /** SHA-256 of the publication's text, in the format of `@papermoon/chain`. */
  digest: Buffer
}

/** The last hash of a chain that has changed since the previous publication. Valid until the token's next row. */
export interface PublishedHeadsTable {
  token_id: number
  hour: Date
  seq: number
  hash: Buffer
}

/** A network from which someone recently viewed a token's page; unlogged. */
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

/** A day's daily game: a section of a token's past that everyone plays. */
export interface TapesTable {
  /** The day in UTC. */
  day: string
  /** Token and sequence numbers of the section; null: the market was made up. */
  token_id: number | null
  from_seq: number | null
  to_seq: number | null
  /** Factor by which prices are multiplied before they are shown. */
  factor: Numeric
  /** Price curve: milliseconds since the play's start, and SOL per token. */
  points: ColumnType<(readonly [ms: number, price: string])[], string, never>
  /** Text that names the chosen section. Its SHA-256 is published before the game. */
  proof: string
  made_at: Date
}

/** A play of a day's game, by an account or by a guest. */
export interface TapePlaysTable {
  /** Unguessable id of the play. */
  id: string
  day: string
  user_id: number | null
  /** SHA-256 of a guest's browser token; null when an account owns the play. */
  browser_hash: Buffer | null
  started_at: Date
  /** Milliseconds since `started_at`; null: not done. */
  bought_ms: number | null
  sold_ms: number | null
  /** Gain in SOL, and one square for each ninth of the play: the final result if the player does nothing more. */
  gain: Numeric
  strip: string
}

/** This database's demo world; at most one row, none if the database never had one. */
export interface DemoWorldTable {
  /** Always 1, because there is only one row. */
  id: Generated<number>
  /**
   * writing: its history is incomplete; running: the house bots trade; retiring: they sell everything; retired: they
   * have left.
   */
  state: 'writing' | 'running' | 'retiring' | 'retired'
  /** Random seed for the demo world's history. */
  seed: number
  began_at: Date
  /** When the history was complete. */
  written_at: Date | null
  retired_at: Date | null
}

/** Positions up to which the notice job has followed the market, and the node that runs the job; one row. */
export interface NoticePositionTable {
  /** Always 1, because there is only one row. */
  id: Generated<number>
  /** The journal was followed up to this position; the same for fairs. */
  trade_id: number
  fair_trade_id: Generated<number>
  /** Launches up to these tokens. Read by releases up to 0.3.0, as are other columns with `token`. */
  token_id: Generated<number>
  fair_token_id: Generated<number>
  /** The job has processed rug pulls before this time. Only releases up to 0.2.0 read this column. */
  rugs_since: Date
  /** The players in the last Top 3 that the job processed, best first; null: none was. */
  top_three: number[] | null
  /** The node that follows the market until `held_until`; null: none. */
  holder: string | null
  held_until: Date | null
  /** Stickers were given up to this position, for day-old trades and closed windows up to these. */
  sticker_entry: Generated<number>
  sticker_token: Generated<number>
  sticker_day_entry: Generated<number>
  sticker_at: Generated<Date>
}

/** A sticker that a player got for an event in the journal. */
export interface StickersTable {
  user_id: number
  /** The sticker's id in `sticker-list.ts`. */
  sticker: string
  token_id: number | null
  /** The token's sequence number at which the player earned the sticker. */
  seq: number | null
  /** Time of the event. */
  at: Date
}

export type NoticeKind =
  | ('rug' | 'whale' | 'top3' | 'alert' | 'sticker' | 'buyer' | 'holder' | 'milestone' | 'seal')
  | ('mention' | 'reply' | 'reaction' | 'follower' | 'post' | 'moderation' | 'order')

/** An event that one or many players are notified of. */
export interface NoticeCausesTable {
  id: Generated<number>
  /** Equal causes within some time share a row. */
  key: string
  kind: NoticeKind
  token_id: number | null
  /** Player who rugged, sold, or took the rank. */
  actor_id: number | null
  /** The token's sequence number when the event happened last. */
  seq: number | null
  /** Number of times that the event happened. */
  times: Generated<number>
  /** Sums over all these times: tokens sold, and SOL received. */
  tokens: Numeric | null
  sol: Numeric | null
  detail: ColumnType<Record<string, string | number>, string | undefined, string>
  created_at: Date
  last_at: Date
  /** While holders are being notified, the last player who was; null: all were. */
  told_to: number | null
  /** When notifying holders last began. */
  told_at: Date | null
}

/** A player's notices: the newest 100, for 30 days. */
export interface NoticesTable {
  /** Increases in the order of commits, so the id is a cursor. */
  id: Generated<number>
  user_id: number
  cause_id: number
  /** Copied from the cause. */
  kind: NoticeKind
  token_id: number | null
  created_at: Date
  read_at: Date | null
}

/** A player's choices about notices; without a row, the player has made none. */
export interface NoticeSettingsTable {
  user_id: number
  muted: NoticeKind[]
}

/** A price at which a player wants to be notified once. */
export interface PriceAlertsTable {
  id: Generated<number>
  user_id: number
  token_id: number
  /** Value that the player entered: SOL per token, SOL of market cap, or percent from the price at that time. */
  measure: 'price' | 'marketCap' | 'percent'
  value: Numeric
  direction: 'above' | 'below'
  /** The price in SOL that triggers the alert. */
  price: Numeric
  /** The token's sequence number when the alert was created. Only later trades trigger it. */
  since_seq: number
  /** Whether the job has not checked the alert yet. */
  is_new: Generated<boolean>
  created_at: Date
  /** When the alert was triggered, or its price became unreachable; null: waiting. */
  done_at: Date | null
  /** Sequence number of the trade or rug pull that triggered the alert; null: none did. */
  done_seq: number | null
}

/** A browser that shows a player's push messages while the session that subscribed it lasts. */
export interface PushDevicesTable {
  id: Generated<number>
  user_id: number
  session_hash: Buffer
  /** The push service's URL for the browser. */
  endpoint: string
  /** The browser's keys in base64url. */
  p256dh: string
  auth: string
  created_at: Date
  /**
   * When the push service stopped accepting messages for the browser. The row stays, so that the browser does not add
   * it again.
   */
  gone_at: Date | null
}

/** A message to deliver at least once. Deleted when it is delivered or given up. */
export interface OutboxTable {
  id: Generated<number>
  channel: 'push' | 'webhook'
  user_id: number
  /** Recipient: a push device or a webhook. */
  target_id: number
  /** Content: a notice, or the webhook's message. Receivers treat equal ids as the same message. */
  message_id: number
  created_at: Date
  /**
   * When the message may be sent (again). A worker that takes the message moves this time on, so that another worker
   * sends it if the first one dies.
   */
  due_at: Date
  attempts: Generated<number>
  last_error: string | null
  /** Content of a webhook's message: its kind, and the journal positions between which its events are. */
  detail: ColumnType<Record<string, unknown> | null, string | undefined, string>
}

/** A player's URL that receives events. */
export interface WebhooksTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the URL. The URL itself is encrypted, because Discord's URLs are secrets. */
  url_hash: Buffer
  url_sealed: Buffer
  /** The URL's host, for logs and account events. */
  host: string
  format: 'standard' | 'discord'
  /** Kinds of events that the webhook gets. */
  events: string[]
  /** Tokens whose trades and rug pulls the webhook gets; null: all. */
  token_ids: number[] | null
  /** Key that signs the webhook's messages, encrypted. */
  secret_sealed: Buffer
  /** The previous key, which also signs messages until `old_secret_until`. */
  old_secret_sealed: Buffer | null
  old_secret_until: Date | null
  created_at: Date
  /** When the URL responded to its challenge correctly; null: not yet, so nothing else is sent. */
  verified_at: Date | null
  /** When the server gave up the webhook, because it failed for a day or responded with 410; null: active. */
  stopped_at: Date | null
  /** Events up to this position, and notices up to this id, are in a message, or are none of its events. */
  trade_id: Generated<number>
  notice_id: Generated<number>
  /** Fairs whose events it gets instead of the fairground's, with its position among them; null: the fairground's. */
  fairs: number[] | null
  fair_trade_id: Generated<number>
  /** Read by releases up to 0.3.0. */
  token_id: Generated<number>
  cause_id: Generated<number>
  fair_token_id: Generated<number>
  fair_rug_id: Generated<number>
  fair_moment_id: Generated<number>
  /** Whether there may be events after these ids. */
  is_ready: Generated<boolean>
  /** Until when a worker handles the webhook. Then the next message may be sent. */
  busy_until: Generated<Date>
  /** Number of messages so far. */
  messages: Generated<number>
  /** Number of events that became older than a day before they were sent and that no message has reported yet. */
  missed: Generated<number>
  /** Time of the first of the current failures in a row; null: the last message was accepted. */
  failing_since: Date | null
  /** The last attempt: when it ended, its HTTP status, or why there was no status. */
  last_at: Date | null
  last_status: number | null
  last_error: string | null
}

export type FairKind = 'fairground' | 'arena' | 'season' | 'room' | 'cup' | 'sandbox'

/** A fair: a market with its own stakes, tokens, ranking and clock. Fair 1 is the fairground, which never ends. */
export interface FairsTable {
  id: Generated<number>
  kind: FairKind
  name: string
  /** The player who created the fair; null: the house. */
  host_id: number | null
  /** SOL that each entrant gets once. */
  stake: Numeric
  /** When players can first enter. */
  lobby_at: Date
  /** When trading opens: the planned time, and later the actual time. */
  starts_at: Date
  /** The latest possible end of trading, which is public; null: never. */
  ends_at: Date | null
  /** Number of seconds before `ends_at` within which trading ends. */
  bell_window_s: Generated<number>
  /** When trading ends. The time is drawn from `secret` at the opening, and published with the results. */
  bell_at: Date | null
  /** 32 random bytes. Their SHA-256 is published from the beginning. */
  secret: Buffer
  /** Who can launch tokens. */
  launches: Generated<'all' | 'host' | 'nobody'>
  rugs: Generated<boolean>
  /** Whether players can enter after the opening. */
  late_entry: Generated<boolean>
  /** Whether everyone is ranked and nothing is deducted from scores, as in rooms. */
  everyone_ranks: Generated<boolean>
  /** Whether it is an arena that `host_id` began for five minutes against house bots. */
  is_quick: Generated<boolean>
  /** The room that it is a rematch of. */
  rematch_of: number | null
  /** Whether everyone can see all waiting orders, summed by price. */
  depth: Generated<boolean>
  /** Number of tokens that the house launches at the opening, and number of house bots that enter. */
  house_tokens: Generated<number>
  bots: Generated<number>
  entrants_max: number
  /** SHA-256 of the secret in the invitation link; null: everyone can enter. */
  invite_hash: Buffer | null
  /**
   * Keyed hash of the network from which the host created the fair; null: created by the house, ended, or created
   * without rate limits.
   */
  made_from: Buffer | null
  state: Generated<'lobby' | 'open' | 'settled' | 'void'>
  /** Why the fair began late or without bots, or does not count. */
  note: string | null
  /** Speed at which a sandbox's bots trade. */
  speed: Generated<number>
  /** When a server last checked the running fair, and how long no server did, in ms. */
  seen_at: Date | null
  lost_ms: Generated<number>
  created_at: CreatedAt
  started_at: Date | null
  settled_at: Date | null
}

/** Fairs' start, end and results, written by a trigger of `fairs`. Only the table in the schema `fairs` has rows. */
export interface FairMomentsTable {
  /** Its position in the journal. */
  position: Generated<number>
  fair_id: number
  moment: 'start' | 'end' | 'settled' | 'void'
  created_at: CreatedAt
}

/** An entrant's result in a fair that has ended. Written once. */
export interface FairResultsTable {
  fair_id: number
  user_id: number
  /** Position in the ranking from 1: ranked players first, then the others. */
  place: number
  /** The result in SOL: balance and pool share. */
  standing: Numeric
  /** The score in SOL: the result without what any one other player lost to this player above a tenth of the stake. */
  score: Numeric
  is_ranked: boolean
  is_bot: boolean
  has_left: boolean
  trades: number
  /** Medal; 1: gold. */
  medal: number | null
  /** Whether bots filled the seats that the medal needed. */
  is_paper: Generated<boolean>
  /** The player's rating around this arena; null: it was not rated. */
  rating_before: number | null
  rating_after: number | null
  /** Points for the weekly league, 0 to 10. */
  league_points: Generated<number>
}

/** A member of a group of a weekly league. House bots may be in several groups. */
export interface LeagueMembersTable {
  /** The Monday on which the week begins, in UTC. */
  week: string
  /** 1 is the highest, 5 the lowest. */
  division: number
  group_number: number
  user_id: number
  /** When the player joined during the week; null: drawn on Monday. */
  joined_at: Date | null
  /** The final points and place; null: the week is not over, or the player was suspended at its end. */
  points: number | null
  place: number | null
}

/** A quest that a player did on its day. */
export interface QuestsDoneTable {
  /** The day in UTC. */
  day: string
  user_id: number
  /** The quest's id in `quests.ts`. */
  quest: string
  /** When the server found it. */
  at: Date
}

/** Up to when quests were found; one row. */
export interface LeagueProgressTable {
  /** Always 1, because there is only one row. */
  id: Generated<number>
  /** Days that began before have no quests. */
  began_at: Date
  quests_until: Date
}

/** A player's Glicko-2 rating over all arenas, computed from `fair_results`. */
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
  /** SOL that the player got on entering. */
  stake: Numeric
  entered_at: CreatedAt
  /** When the player left or was removed. The account still counts in the sum of all money, but cannot trade. */
  left_at: Date | null
}

/** A player's post about a token or in a fair's lobby. Both markets have this table. */
export interface PostsTable {
  /** In fairs other than the fairground, ids start at 1,000,000,000. */
  id: Generated<number>
  /** The token's id, or the negative id of the fair whose lobby the post is in. */
  topic: number
  /** The post that this post replies to; null: none. */
  parent_id: number | null
  user_id: number
  /** The text; empty when the post is deleted. */
  text: string
  /** Ids of players whom the post mentions. */
  mentions: Generated<number[]>
  /** The token's price when the post was written; null in lobbies. */
  price: Numeric | null
  /** Number of the token's last trade at that time. */
  seq: number | null
  state: Generated<'shown' | 'held' | 'hidden' | 'deleted'>
  /** Hash that is equal for texts that read alike. */
  skeleton: number
  /** Number of visible replies. */
  replies: Generated<number>
  /** Number of reactions of each kind. */
  reactions: Generated<number[]>
  /** Its position in the journal, set at the commit; null: it was never shown. */
  position: number | null
  /** The position of its last change. Negative: it gets one at the commit. */
  changed_position: number | null
  created_at: Date
  edited_at: Date | null
  /** For a testimony, the SOL that its author lost in the token; null for other posts. */
  lost: Numeric | null
}

export interface CourtVotesTable {
  /** A rugged token from either market. */
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

/** A thing that was reported or held back, however often. Each thing has at most one open case. */
export interface CasesTable {
  id: Generated<number>
  kind: CaseKind
  target_id: number
  accused_user_id: number | null
  /** The thing's fair; null: the fairground. */
  fair_id: number | null
  /** The reported text at the time of the report. */
  words: string
  /** Why the post was held back; null: it was shown. */
  held_for: string | null
  reports: Generated<number>
  opened_at: Date
  decided_at: Date | null
  /** The moderator's decision. */
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
  /** The room whose host muted the player; 0: everywhere. */
  fair_id: number
  until: Date
}

/** At most one row: the newest row of `moderation_log`. */
export interface ModerationHeadTable {
  is_only: Generated<boolean>
  log_id: number
  hash: Buffer
}

/** Every act of a moderator: append-only, and each row has a hash over the previous one. */
export interface ModerationLogTable {
  /** Number of the act, from 1 without a gap. */
  id: number
  at: Date
  /** The moderator; null: an operator's command. */
  actor_id: number | null
  as_role: 'moderator' | 'operator' | 'host' | 'command'
  act: string
  kind: CaseKind | 'player' | 'word' | 'fair' | 'bound' | 'announcement'
  target_id: number
  concerned_id: number | null
  case_id: number | null
  /** The row that this act reverses. */
  undoes: number | null
  detail: string
  /** SHA-256 of the row in `moderation_words`, which is deleted later. */
  words_hash: Buffer
  hash: Buffer
}

/** Texts and reasons of the log; stored for a year. */
export interface ModerationWordsTable {
  log_id: number
  /** Random bytes that are hashed with the text. Without them, short texts could be guessed from their hash. */
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

/** Words that an operator wants to check before posts with them are shown. */
export interface HeldWordsTable {
  word: string
  created_at: Date
}

/** The database, or a transaction in it. */
export type Db = Kysely<Database>
/** A transaction, for functions that must run in one. */
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
  journal: JournalTable
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
  league_members: LeagueMembersTable
  quests_done: QuestsDoneTable
  league_progress: LeagueProgressTable
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

/** The tables on a connection whose search path begins with the schema `fairs`: the same tables for all other fairs. */
export type FairsDatabase = Omit<Database, 'accounts'> & { accounts: FairAccountsTable }
