import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'

/** A `numeric` column as exact decimal text. Such a value is never read as a float. */
type Numeric = string
/** A column whose default is the database's current time. */
type CreatedAt = ColumnType<Date, Date | undefined, never>

export type AccountStatus = 'active' | 'suspended' | 'frozen'

/**
 * The kind of account. Accounts of the kind `player` belong to people, owners declare accounts as `bot`, and the house
 * runs the kind `house`.
 */
export type AccountKind = 'player' | 'bot' | 'house'

/** A registered player. `accounts` and `holdings` contain what the player owns. */
export interface UsersTable {
  id: Generated<number>
  username: string
  /** Key of the username, which look-alike names share. The column is unique. */
  username_key: string
  email: string
  /** The email address in lower case, which is unique. */
  email_key: string
  wallet: string
  password_hash: string
  profile_picture_url: string | null
  warning: string | null
  created_at: CreatedAt
  /**
   * The account's status. An active account can do everything, a suspended account can log in, read and sell, and a
   * frozen account can do nothing.
   */
  standing: Generated<AccountStatus>
  /** The operator's reason for the status, which the player sees. */
  standing_reason: Generated<string | null>
  /** Time at which the account will be deleted, unless the player cancels this, or null if nobody requested it. */
  deletion_due_at: Generated<Date | null>
  /** Time at which the account was deleted. The account's journal entries remain. */
  deleted_at: Generated<Date | null>
  /** Time at which the email address was verified, or null if it never was or if the server cannot send mail. */
  email_verified_at: Generated<Date | null>
  kind: Generated<AccountKind>
  /** The picture of a house bot, which is one emoji. */
  emoji: Generated<string | null>
  /** The description of a house bot, with at most 200 characters. */
  about: Generated<string | null>
  role: Generated<Role>
  /** Whether the player hides their follows, followers and posts. */
  hides_follows: Generated<boolean>
  /** Whether the posts of the player stay when the account is deleted. */
  keeps_posts: Generated<boolean>
}

export type Role = 'player' | 'moderator' | 'operator'

/** A period in which the owner declared the account as a bot. An account has at most one open period. */
export interface BotSpansTable {
  user_id: number
  since: Date
  /** End of the period, or null if the account is still declared as a bot. */
  until: Date | null
}

/** A player's SOL. This row is separate and small, because the engine locks and rewrites it on every trade. */
export interface AccountsTable {
  /** The player's id in the fairground. In other fairs, ids of accounts come from a separate sequence. */
  account_id: ColumnType<number, never, never>
  user_id: number
  /** Balance in SOL with 9 decimals. A balance is never negative. */
  sol_balance: Numeric
  /** Realized profit or loss in SOL with 9 decimals: closed trades, rug proceeds and launch fees. */
  realized_pnl: Numeric
}

/** SOL that was granted to players at registration and resets, and to house bots. The journal is append-only. */
export interface GrantsTable {
  id: Generated<number>
  user_id: number
  kind: 'register' | 'reset' | 'house'
  amount: Numeric
  created_at: CreatedAt
}

/** An upload URL for one file of a player. */
export interface UploadsTable {
  /** Key `{player}-{random}`, which is also the name of the stored object. */
  key: string
  user_id: number
  /** SHA-256 of the secret in the URL. */
  secret_hash: Buffer
  created_at: Date
  expires_at: Date
  /** Time at which the upload began, or null if the URL is unused. */
  received_at: Date | null
  /** Number of bytes that count against quotas. During the upload, this is the max number of bytes. */
  bytes: number | null
}

/** A logged-in browser. Only the SHA-256 of the session's token is stored. */
export interface SessionsTable {
  token_hash: Buffer
  /** Id in the player's list of sessions. This id is public and independent of the token. */
  id: Generated<string>
  user_id: number
  created_at: CreatedAt
  /** Time of the last use, accurate to a few minutes. */
  last_used_at: Generated<Date>
  /** IP address of the last use, or null if the session was not used since this column exists. */
  address: string | null
  /** Name of the browser, such as "Firefox on Linux". */
  browser: string | null
  /** Time at which the player last authenticated in this session, by password or otherwise. */
  confirmed_at: Date | null
  /** Time at which the player last used a second factor in this session, or null if never. */
  factor_at: Generated<Date | null>
  /** Time until which the server accepts the token over HTTPS in a cookie without a prefix, or null if never. */
  plain_cookie_until: Date | null
  expires_at: Date
}

/** A mailed link that verifies or changes an email address. Only the newest such link of a player is stored. */
export interface EmailLinksTable {
  user_id: number
  /** SHA-256 of the secret in the link. */
  token_hash: Buffer
  email: string
  email_key: string
  created_at: Date
  expires_at: Date
}

/** A code that sets a new password. The code is bound to the browser that requested it. */
export interface PasswordResetsTable {
  /** SHA-256 of the token in the browser's cookie. */
  token_hash: Buffer
  /** SHA-256 of `email_key`. */
  account_key: Buffer
  /** The account, or null if no account has this email address. Without an account, no code is valid. */
  user_id: number | null
  /** argon2id hash of the six digits, or null if only the link's secret is valid. */
  code_hash: string | null
  /** SHA-256 of the secret in the mailed link, or null if no link was mailed. */
  secret_hash: Generated<Buffer | null>
  /** Number of failed attempts by the browser that requested the code. */
  tries: Generated<number>
  created_at: Date
  expires_at: Date
}

/** A used proof of work. Each proof is valid only once. The row is stored until its challenge expires. */
export interface SpentProofsTable {
  /** Random bytes of the challenge. */
  nonce: Buffer
  expires_at: Date
}

/** How much of a budget all callers together have used in its current window. */
export interface SharedBudgetsTable {
  name: string
  began_at: Date
  spent: number
}

/** Failed attempts at the reset codes of an account by browsers that did not request them. */
export interface PasswordResetGuessesTable {
  account_key: Buffer
  /** Times of the attempts of the last day, oldest first. */
  guessed_at: Date[]
}

/** An API key of a player. Only the SHA-256 of the key is stored. */
export interface ApiKeysTable {
  id: Generated<number>
  user_id: number
  name: string
  scopes: ('market' | 'read' | 'trade' | 'reset' | 'talk')[]
  key_hash: Buffer
  created_at: Date
  /** Time of the last use, accurate to about a minute. */
  last_used_at: Date | null
  /** Time at which the key expires, or null if never. */
  expires_at: Generated<Date | null>
  /** Networks in CIDR notation from which the key works. If the list is empty, the key works from all networks. */
  networks: Generated<string[]>
  /** Max SOL that the key can spend in a UTC day, or null for no limit. */
  spending_limit: Generated<string | null>
  /** SOL that the key spent on the UTC day `spent_on`. This amount is stored only for keys with a limit. */
  spent: Generated<string>
  spent_on: string | null
}

/** A security event of an account. Security events are stored for 90 days. */
export interface AccountEventsTable {
  id: Generated<number>
  user_id: number
  kind: string
  /** Time of the event. If the row counts several events, this is the time of the last one. */
  at: Date
  /** The IP address, or null if an operator's command or a server job caused the event. */
  address: string | null
  /** Name of the browser, such as "Firefox on Linux". */
  browser: string | null
  detail: ColumnType<Record<string, string | number | boolean | null>, string, string>
  /** Events of one kind with the same key share a row. An event without a key has its own row. */
  merge_key: string | null
  times: Generated<number>
  /** Whether the server's security log contains the event. Events from commands are logged later. */
  is_logged: Generated<boolean>
}

/** The lease of the leading engine. Only earlier versions use this table. */
export interface EngineLeaseTable {
  id: Generated<number>
  /** Number of leaders so far. */
  term: number
  /** Id of the leader's process. */
  node: string
  /** The machine of the leader. Other machines cannot reach the leader by a loopback address. */
  host: string
  /** Host and port at which the leader accepts orders of other nodes. */
  address: string
  /** Time at which the lease expires, by the database's clock. */
  expires_at: Date
}

/** Secret keys that all nodes share. The keys are generated at first use. */
export interface ServerKeysTable {
  name: string
  key: Buffer
  created_at: CreatedAt
}

/** A player's TOTP secret. The secret becomes a second factor after a code has confirmed it. */
export interface TotpSecretsTable {
  user_id: number
  /** The encrypted secret (see `secret-box.ts` of the API). */
  sealed: Buffer
  created_at: Date
  /** Time at which a code confirmed the secret, or null if no code has confirmed it yet. */
  enabled_at: Date | null
  /**
   * Time step of the last used code, in units of 30 s since 1970. The code of this time step and all older codes are
   * rejected.
   */
  last_step: number | null
}

/** Wrong TOTP codes of the last day. Wrong codes from trusted browsers are counted separately. */
export interface TotpTriesTable {
  user_id: number
  is_known: boolean
  /** Times of the wrong codes, oldest first. */
  tried_at: Date[]
}

/** Unused recovery codes. */
export interface RecoveryCodesTable {
  user_id: number
  /** The first two characters of the code. These characters select the hash to compare. */
  selector: string
  /** argon2id hash of the whole code. */
  code_hash: string
}

/** A player's WebAuthn user handle. The handle is random, so that it reveals nothing. */
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
  /** The authenticator's signature counter, or 0 if it has none. */
  counter: number
  transports: string[]
  /** Domain of the relying party. The passkey works only for this domain. */
  rp_id: string
  /** Whether the passkey can be synced to several devices. */
  is_synced: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** A WebAuthn challenge. A challenge is valid once, for some minutes and for one browser. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the browser's token or of the session token. */
  holder: Buffer
  purpose: 'login' | 'confirm' | 'add'
  /** The logged-in player, or null if nobody is logged in. */
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
  /** The creator's idempotency key. */
  request_key: string | null
  request_hash: string | null
  created_at: CreatedAt
  /** Time at which an operator hid the token, or null if it is visible. */
  hidden_at: Generated<Date | null>
  /** Whether `rugs` contains the token. A trigger maintains the column, because the indexes of open tokens use it. */
  is_rugged: Generated<boolean>
  /** Id of the token's fair; 1 is the fairground. */
  fair_id: Generated<number>
  /** Position of the launch in the journal, or null for old launches. */
  position: Generated<number | null>
}

/** The counter of positions in the journal: one row, which a transaction locks until its commit. */
export interface JournalTable {
  is_only: Generated<boolean>
  /** The last position in the journal. All entries up to this position are committed. */
  position: number
}

/** A token's current pool, with the last sequence number and hash, and three forming candles. */
export interface PoolsTable {
  token_id: number
  /** Virtual plus real SOL, or 0 after a rug pull. */
  sol_reserve: Numeric
  /** The part of `sol_reserve` that sets the price and is never paid out. */
  virtual_sol: Numeric
  token_reserve: Numeric
  /** SOL of all fees from trades with this pool. */
  fees: Numeric
  /** `sol_reserve / token_reserve`, truncated to 18 decimals. */
  price: Numeric
  /** Number of the token's last trade or rug pull, counted from 1 without gaps. */
  seq: number
  /** Time of the last journal entry, or of the launch. The time never decreases. */
  last_event_at: Date
  rugged_at: Date | null
  /** Last hash of the token's chain: the SHA-256 of the last journal entry or the launch. */
  chain_head: Buffer
  /** Number of the last row in `seals`, or 0 if the token was never sealed. */
  seals: Generated<number>
  /** Time until which the token cannot be rugged, or null if the token was never sealed. */
  sealed_until: Date | null
  /** Time until which the creator must hold at least `bag_sealed_tokens`, or null if these are not sealed. */
  bag_sealed_until: Date | null
  bag_sealed_tokens: Generated<Numeric>
  /** The `hash` of the last row in `seals`. */
  seal_head: Buffer | null
  /** Time at which the token's fair ends, by the database's clock, or null if it never ends, as in the fairground. */
  closes_at: Date | null
  /** Version of the columns below: the number of their changes. */
  book: Generated<number>
  /** A price at or below this value reaches a waiting order, or null if there is none. */
  book_below: Numeric | null
  /** A price at or above this value reaches a waiting order, or null if there is none. */
  book_above: Numeric | null
  /** Number of the last cascade. A cascade is the series of fills after a trade that reached orders. */
  cascade: Generated<number>
  /** Price before the trade that began the running cascade, or null if none is running. */
  cascade_from: Numeric | null
  /** Lowest price since the running cascade began. */
  cascade_low: Numeric | null
  /** Number of batches in the running cascade so far. */
  cascade_batches: Generated<number>
}

export type WaitingOrderKind = 'buy' | 'sale' | 'stop' | 'bracket'
export type WaitingOrderState = 'waiting' | 'filled' | 'cancelled' | 'expired'

/** An order that waits for a price or has ended. The fills of an order are trades with the keys `order ID fill N`. */
export interface WaitingOrdersTable {
  id: Generated<number>
  token_id: number
  user_id: number
  account_id: number
  kind: WaitingOrderKind
  /**
   * Limit price in SOL per token, including the fee. The limit price is the worst marginal price for a limit buy, a
   * limit sale, or the target of a bracket.
   */
  price: Numeric | null
  /** The spot price that triggers a stop order or a bracket's stop. */
  stop_price: Numeric | null
  /** The worst marginal price for the sale after a stop was triggered, or null for any price. */
  least_price: Numeric | null
  /**
   * Amount of the order: SOL for a buy, tokens for other orders. The amount is null if the order ended without a fill
   * and its terms were deleted.
   */
  amount: Numeric | null
  left_amount: Numeric
  /** A spot price at or below this value reaches the order. */
  below: Numeric | null
  /** A spot price at or above this value reaches the order. */
  above: Numeric | null
  /** Number of the last cascade that filled the order. */
  filled_in: Generated<number>
  fills: Generated<number>
  /** Id of the API key that placed the order. */
  key_id: number | null
  /** Id of the order that this order replaced. */
  replaces: number | null
  request_key: string
  /** Digest that a repeat of the order must match (`computeFingerprint`). */
  digest: string
  placed_at: Date
  expires_at: Date
  state: Generated<WaitingOrderState>
  /** Code of the reason why the order ended, or null if it was filled. */
  cause: string | null
  ended_at: Date | null
  /** Position of the last change of the order in the journal. */
  position: Generated<number>
}

/** A player's holding of a token, and its average cost including fees. */
export interface HoldingsTable {
  /** Id of the token. The row stays with amount 0 after the player has sold everything. */
  token_id: number
  user_id: number
  amount: Numeric
  cost: Numeric
  /** Whether the holding is at least 1/2000 of the supply. PostgreSQL computes this column. */
  is_large: ColumnType<boolean, never, never>
}

/** All trades of the market, in an append-only journal. Each row has the pool's reserves right after the trade. */
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
  /** Average price of the trade, `sol_amount / token_amount`. */
  price: Numeric
  sol_reserve: Numeric
  token_reserve: Numeric
  spot_price: Numeric
  /** The order's idempotency key, which the player chose. */
  request_key: string | null
  created_at: Date
  /** SHA-256 of the previous hash and this entry, in the format of `@papermoon/chain`. */
  hash: Buffer
}

/** A rug pull: the creator took the real SOL of a pool and closed it. The journal is append-only. */
export interface RugsTable {
  token_id: number
  seq: number
  user_id: number
  amount: Numeric
  /** The creator's idempotency key. */
  request_key: string | null
  created_at: Date
  /** SHA-256 as in `trades`. */
  hash: Buffer
  /** Position of the rug pull in the journal, or null for old rug pulls. */
  position: Generated<number | null>
}

/** A row for each time that a creator sealed a token or extended the seal. Each token has a hash chain of its seals. */
export interface SealsTable {
  token_id: number
  /** Number of the seal, counted from 1 without gaps. */
  n: number
  kind: 'sealed' | 'renewed'
  /** Sequence number of the token's last trade before the seal. */
  seq: number
  user_id: number
  /** The duration that the creator requested. */
  term: 'hour' | 'day' | 'week' | 'ever'
  with_bag: boolean
  /** Time at which the seal ends. */
  until: Date
  bag_until: Date | null
  bag_tokens: Numeric
  /** The creator's idempotency key, or null if the seal was part of the launch. */
  request_key: string | null
  created_at: Date
  /** SHA-256 of the previous hash and these values. */
  hash: Buffer
  /** Position in the journal. */
  position: Generated<number>
  /**
   * How many notifications about the seal's end were sent: 1 an hour before, 2 five minutes before, 3 when the seal
   * ended or was replaced.
   */
  told: Generated<number>
  /** Position of the seal's end, or null if it has not ended. A negative value requests the next position. */
  ended_position: number | null
}

/**
 * Candles of spot prices, with one row per token, width and bucket. The engine writes the candles. The view combines
 * `closed_candles` and the forming candles in `pools`.
 */
export interface CandlesTable {
  token_id: number
  /** Width in seconds, which is 60, 3600 or 86400. */
  width: number
  /** Start of the bucket. The start is a multiple of `width` since the epoch. */
  bucket: Date
  open: Numeric
  high: Numeric
  low: Numeric
  close: Numeric
  /** SOL that buyers paid, plus SOL that sellers got before the fee. */
  volume: Numeric
  trades: number
}

/**
 * All holdings of a token right after one of its trades. Rows can be deleted, because they can be computed again
 * (`features/tokens/past`).
 */
export interface HolderCheckpointsTable {
  token_id: number
  /** Sequence number of the trade. */
  seq: number
  /** Holdings sorted by user id, 12 bytes each: id (4), millionths of a token (8), big-endian. */
  holdings: Buffer
  /** Start of the trade's minute. */
  minute: Date
  minute_open: Numeric
  minute_high: Numeric
  minute_low: Numeric
  minute_volume: Numeric
}

/** A closed giveaway window of six hours, which may have no winners. */
export interface GiveawayWindowsTable {
  /** Start of the window, at 00, 06, 12 or 18 h UTC. */
  started_at: Date
  closed_at: Date
}

/** A player with a profit in a window when the window was closed. */
export interface WindowWinnersTable {
  window_started_at: Date
  /** Rank of the player in the window, counted from 1. */
  rank: number
  user_id: number
  username: string
  wallet: string
  /** Number of accounts, including the winner's, with this wallet when the winner registered. */
  wallet_accounts: number
  account_created_at: Date
  /** Profit in SOL, above 0. */
  profit: Numeric
  trades: number
  /** Number of other players who traded the same tokens in the window. */
  counterparties: number
  /**
   * Number of accounts, including the winner's, that logged in from one of the winner's browsers and are at least as
   * old.
   */
  browser_accounts: Generated<number>
  /** Account that paid the largest part of the profit, or null if there is none or it is unknown. */
  source_user_id: number | null
  source_percent: number | null
  /** Whether this account logged in from one of the winner's browsers. */
  source_shares_browser: Generated<boolean>
}

/** A browser in which an account logged in. The row is stored for 90 days after the last login. */
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
  /** Highest id of a replayed trade, or null if there were no trades. */
  last_trade_id: number | null
  trades: number
  tokens: number
  players: number
  differences: number
}

export interface HeadPublicationsTable {
  /** The full hour in UTC. */
  hour: Date
  /**
   * Time at which the hashes were published. The hashes are published later than at the full hour if no server was
   * running then.
   */
  published_at: Date
  tokens: number
  /** Digest of the previous publication, or null for the first publication. */
  previous: Buffer | null
  /** SHA-256 of the text of the publication, in the format of `@papermoon/chain`. */
  digest: Buffer
}

/** The last hash of a chain that has changed since the previous publication. */
export interface PublishedHeadsTable {
  token_id: number
  hour: Date
  seq: number
  hash: Buffer
}

/** A network from which someone recently viewed the page of a token. This table is unlogged. */
export interface WatchersTable {
  token_id: number
  /** Keyed hash of the viewer's network. */
  viewer: Buffer
  seen_at: Date
}

/** A token that a player has starred. */
export interface WatchlistTable {
  user_id: number
  token_id: number
  starred_at: Date
}

/** The game of a day: a section of a token's past that everyone plays. */
export interface TapesTable {
  /** The day in UTC. */
  day: string
  /** Id of the token, or null if the market was made up. */
  token_id: number | null
  from_seq: number | null
  to_seq: number | null
  /** Factor by which prices are multiplied before players see them. */
  factor: Numeric
  /** Price curve: milliseconds since the start of the game, and SOL per token. */
  points: ColumnType<(readonly [ms: number, price: string])[], string, never>
  /** Text that names the chosen section. The SHA-256 of this text is published before the game. */
  proof: string
  made_at: Date
}

/** A game of a day, played by an account or by a guest. */
export interface TapePlaysTable {
  /** Id of the game. Nobody can guess this id. */
  id: string
  day: string
  user_id: number | null
  /** SHA-256 of the guest's browser token, or null if the game belongs to an account. */
  browser_hash: Buffer | null
  started_at: Date
  /** Time of the buy in milliseconds since `started_at`, or null if the player did not buy. */
  bought_ms: number | null
  sold_ms: number | null
  /** Gain in SOL if the player does nothing more. */
  gain: Numeric
  strip: string
}

/** The demo world of this database. There is at most one row, and none if the database never had a demo world. */
export interface DemoWorldTable {
  /** The id is always 1, because there is only one row. */
  id: Generated<number>
  /**
   * State of the demo world. In `writing`, the history is incomplete. In `running`, the house bots trade. In
   * `retiring`, they sell everything. In `retired`, they have left.
   */
  state: 'writing' | 'running' | 'retiring' | 'retired'
  /** Random seed of the demo world's history. */
  seed: number
  began_at: Date
  /** Time at which the whole history had been written. */
  written_at: Date | null
  retired_at: Date | null
}

/** Positions up to which the notice job has followed the market, and the node that runs it. There is only one row. */
export interface NoticePositionTable {
  /** The id is always 1, because there is only one row. */
  id: Generated<number>
  /** Position in the journal up to which the job has processed all events. */
  trade_id: number
  fair_trade_id: Generated<number>
  /** Id of the last token whose launch was processed. Only releases up to 0.3.0 read this column. */
  token_id: Generated<number>
  fair_token_id: Generated<number>
  /** Time before which the job has processed all rug pulls. Only releases up to 0.2.0 read this column. */
  rugs_since: Date
  /** The players in the last Top 3 that the job processed, the best first, or null if the job processed none. */
  top_three: number[] | null
  /** The node that follows the market until `held_until`, or null if there is none. */
  holder: string | null
  held_until: Date | null
  /** Position in the journal up to which stickers were given. */
  sticker_entry: Generated<number>
  sticker_token: Generated<number>
  sticker_day_entry: Generated<number>
  sticker_at: Generated<Date>
}

/** A sticker that a player got for an event in the journal. */
export interface StickersTable {
  user_id: number
  /** Id of the sticker in `sticker-list.ts`. */
  sticker: string
  token_id: number | null
  /** Sequence number of the token at which the player earned the sticker. */
  seq: number | null
  /** Time of the event. */
  at: Date
}

export type NoticeKind =
  | ('rug' | 'whale' | 'top3' | 'alert' | 'sticker' | 'buyer' | 'holder' | 'milestone' | 'seal')
  | ('mention' | 'reply' | 'reaction' | 'follower' | 'post' | 'moderation' | 'order' | 'reminder')

/** An event about which players are notified. */
export interface NoticeCausesTable {
  id: Generated<number>
  /** Key of the cause. Causes that have the same key within some time share a row. */
  key: string
  kind: NoticeKind
  token_id: number | null
  /** The acting player, who pulled the rug, sold, or took the rank. */
  actor_id: number | null
  /** The token's sequence number when the event last happened. */
  seq: number | null
  /** Number of times that the event happened. */
  times: Generated<number>
  /** Sum of the tokens that were sold. */
  tokens: Numeric | null
  sol: Numeric | null
  detail: ColumnType<Record<string, string | number>, string | undefined, string>
  created_at: Date
  last_at: Date
  /** The last holder who was notified, or null if all holders were. */
  told_to: number | null
  /** Time at which the notification of the holders last began. */
  told_at: Date | null
}

/** The newest 100 notices of a player, which are stored for 30 days. */
export interface NoticesTable {
  /** Id of the notice. A client can use the id as a cursor, because ids increase in the order of commits. */
  id: Generated<number>
  user_id: number
  cause_id: number
  /** Kind of the notice, copied from the cause. */
  kind: NoticeKind
  token_id: number | null
  created_at: Date
  read_at: Date | null
}

/** A player's choices about notices. If there is no row, the player has made no choices. */
export interface NoticeSettingsTable {
  user_id: number
  muted: Exclude<NoticeKind, 'reminder'>[]
  /** UTC hour of the player's daily reminder, or null if there is none. */
  reminder_hour: number | null
  /** Whether the reminder is also sent as an email, if the player's email address is verified. */
  reminder_by_mail: Generated<boolean>
  /** UTC day of the last reminder. */
  reminded_on: ColumnType<string | null, string | undefined, string>
}

/** A price at which a player wants to be notified once. */
export interface PriceAlertsTable {
  id: Generated<number>
  user_id: number
  token_id: number
  /** Kind of value: SOL per token, SOL of market cap, or percent of change since the alert was created. */
  measure: 'price' | 'marketCap' | 'percent'
  value: Numeric
  direction: 'above' | 'below'
  /** The price in SOL that triggers the alert. */
  price: Numeric
  /** The token's sequence number when the alert was created. Only later trades can trigger the alert. */
  since_seq: number
  /** Whether the job has not checked the alert yet. */
  is_new: Generated<boolean>
  created_at: Date
  /** Time at which the alert was triggered or its price became unreachable. The value is null while the alert waits. */
  done_at: Date | null
  /** Sequence number of the trade or rug pull that triggered the alert, or null if none did. */
  done_seq: number | null
}

/** A browser that shows a player's push messages until the session that subscribed it ends. */
export interface PushDevicesTable {
  id: Generated<number>
  user_id: number
  session_hash: Buffer
  /** URL of the push service for the browser. */
  endpoint: string
  /** The keys of the browser in base64url. */
  p256dh: string
  auth: string
  created_at: Date
  /**
   * Time at which the push service stopped accepting messages for the browser. The row stays, so that the browser does
   * not add the URL again.
   */
  gone_at: Date | null
}

/** A message that must be delivered at least once. The row is deleted after the message is delivered or dropped. */
export interface OutboxTable {
  id: Generated<number>
  channel: 'push' | 'webhook'
  user_id: number
  /** Id of the recipient: a push device or a webhook. */
  target_id: number
  /** Id of the content: a notice or the webhook's message. Receivers treat two messages with the same id as one. */
  message_id: number
  created_at: Date
  /**
   * Time from which the message may be sent. A worker that reserves the message sets a later time. If that worker dies,
   * another worker sends the message at this time.
   */
  due_at: Date
  attempts: Generated<number>
  last_error: string | null
  /** Content of a webhook's message: its kind, and the range of journal positions of its events. */
  detail: ColumnType<Record<string, unknown> | null, string | undefined, string>
}

/** A URL of a player that receives events. */
export interface WebhooksTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the URL. The URL itself is encrypted, because Discord's URLs are secrets. */
  url_hash: Buffer
  url_sealed: Buffer
  /** Host of the URL, for logs and account events. */
  host: string
  format: 'standard' | 'discord'
  /** Kinds of events that the webhook receives. */
  events: string[]
  /** Tokens whose trades and rug pulls the webhook receives, or null for all tokens. */
  token_ids: number[] | null
  /** Encrypted key that signs the webhook's messages. */
  secret_sealed: Buffer
  /** The previous key, which also signs messages until `old_secret_until`. */
  old_secret_sealed: Buffer | null
  old_secret_until: Date | null
  created_at: Date
  /**
   * Time at which the URL responded to its challenge correctly, or null if it has not. Before this time, the server
   * sends nothing but the challenge.
   */
  verified_at: Date | null
  /** Time at which the server stopped the webhook, after a day of failures or a 410, or null if it is active. */
  stopped_at: Date | null
  /** Position up to which all events are in a message or are not for the webhook. */
  trade_id: Generated<number>
  notice_id: Generated<number>
  /** Fairs whose events the webhook receives instead of the fairground's, or null for the fairground. */
  fairs: number[] | null
  fair_trade_id: Generated<number>
  /** Position of an earlier version. Only releases up to 0.3.0 read this column. */
  token_id: Generated<number>
  cause_id: Generated<number>
  fair_token_id: Generated<number>
  fair_rug_id: Generated<number>
  fair_moment_id: Generated<number>
  /** Whether there may be events after these positions. */
  is_ready: Generated<boolean>
  /** Time until which a worker handles the webhook. After this time, the next message may be sent. */
  busy_until: Generated<Date>
  /** Number of messages so far. */
  messages: Generated<number>
  /** Number of events that became too old to be sent. No message has reported these events yet. */
  missed: Generated<number>
  /** Time of the first of several failures in a row, or null if the last message was accepted. */
  failing_since: Date | null
  /** Time at which the last attempt ended. */
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
  /** The player who created the fair, or null for the house. */
  host_id: number | null
  /** SOL that each entrant gets once. */
  stake: Numeric
  /** Time from which players can enter. */
  lobby_at: Date
  /** Planned start of trading, and later the actual start. */
  starts_at: Date
  /** The latest possible end of trading, which is public, or null if trading never ends. */
  ends_at: Date | null
  /** Length of the period before `ends_at` in which trading ends, in seconds. */
  bell_window_s: Generated<number>
  /**
   * Time at which trading ends. The server computes this time from the secret at the opening, and publishes it with the
   * results.
   */
  bell_at: Date | null
  /** The fair's secret: 32 random bytes. The SHA-256 of the secret is published from the beginning. */
  secret: Buffer
  /** Who can launch tokens. */
  launches: Generated<'all' | 'host' | 'nobody'>
  rugs: Generated<boolean>
  /** Whether players can enter after the opening. */
  late_entry: Generated<boolean>
  /** Whether everyone who trades is ranked and scores equal results, as in rooms. */
  everyone_ranks: Generated<boolean>
  /**
   * Whether the limit on what one player can lose to another also applies to house bots. True in fairs that began
   * before 0067, and by default, because older builds do not set it.
   */
  limits_bots: boolean
  /** Whether the fair is an arena of five minutes that `host_id` started against house bots. */
  is_quick: Generated<boolean>
  /** Id of the room that this fair is a rematch of. */
  rematch_of: number | null
  /** Whether everyone can see all waiting orders, summed by price. */
  depth: Generated<boolean>
  /** Number of tokens that the house launches at the opening. */
  house_tokens: Generated<number>
  bots: Generated<number>
  entrants_max: number
  /** SHA-256 of the secret in the invite link, or null if everyone can enter. */
  invite_hash: Buffer | null
  /**
   * Keyed hash of the network from which the host created the fair, or null if the house created it, if the fair has
   * ended, or if there are no rate limits.
   */
  made_from: Buffer | null
  state: Generated<'lobby' | 'open' | 'settled' | 'void'>
  /** The reason why the fair began late or without bots, or why it does not count. */
  note: string | null
  /** Speed at which a sandbox's bots trade. */
  speed: Generated<number>
  /** Time at which a server last checked the running fair. */
  seen_at: Date | null
  lost_ms: Generated<number>
  created_at: CreatedAt
  started_at: Date | null
  settled_at: Date | null
}

/** Start, end and results of fairs. A trigger writes these rows. Only the table in the schema `fairs` has rows. */
export interface FairMomentsTable {
  /** Position in the journal. */
  position: Generated<number>
  fair_id: number
  moment: 'start' | 'end' | 'settled' | 'void'
  created_at: CreatedAt
}

/** A player's result in a fair that has ended. This row never changes. */
export interface FairResultsTable {
  fair_id: number
  user_id: number
  /** Rank, counted from 1. The ranked players come before the other players. */
  place: number
  /** The result in SOL: the balance plus the pool shares. */
  standing: Numeric
  /**
   * The score in SOL: the result minus the SOL above a tenth of the stake that one other player lost to this player.
   * All losses of house bots count, unless the fair has `limits_bots`.
   */
  score: Numeric
  is_ranked: boolean
  is_bot: boolean
  has_left: boolean
  trades: number
  /** Number of the medal, where 1 is gold. */
  medal: number | null
  /** Whether the medal is a paper medal, because bots took part instead of people. */
  is_paper: Generated<boolean>
  /** The player's rating before this arena, or null if it was not rated. */
  rating_before: number | null
  rating_after: number | null
  /** Points for the weekly league, from 0 to 10. */
  league_points: Generated<number>
}

/** A member of a group of a weekly league. House bots may be in several groups. */
export interface LeagueMembersTable {
  /** The Monday in UTC on which the week begins. */
  week: string
  /** Number of the division. 1 is the highest, and 5 the lowest. */
  division: number
  group_number: number
  user_id: number
  /** Time at which the player joined during the week, or null for players who were drawn on Monday. */
  joined_at: Date | null
  /** The final points, or null if the week is not over, or if the player was suspended at its end. */
  points: number | null
  place: number | null
}

/** A quest that a player completed on its day. */
export interface QuestsDoneTable {
  /** The day in UTC. */
  day: string
  user_id: number
  /** Id of the quest in `quests.ts`. */
  quest: string
  /** Time at which the server found the completed quest. */
  at: Date
}

/** The time up to which quests were found, in one row. */
export interface LeagueProgressTable {
  /** The id is always 1, because there is only one row. */
  id: Generated<number>
  /** Time from which there are quests. Days that began earlier have no quests. */
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

/** The money of a player in one fair, in the schema `fairs`. */
export interface FairAccountsTable {
  account_id: Generated<number>
  fair_id: number
  user_id: number
  sol_balance: Numeric
  realized_pnl: Generated<Numeric>
  /** SOL that the player got on entering. */
  stake: Numeric
  entered_at: CreatedAt
  /** Time at which the player left or was removed. The sum of all money still includes the account. */
  left_at: Date | null
}

/** A post of a player about a token or in the lobby of a fair. The fairground and the fairs both have this table. */
export interface PostsTable {
  /** In fairs other than the fairground, ids start at 1,000,000,000. */
  id: Generated<number>
  /** Id of the token, or the negative id of the fair for a post in its lobby. */
  topic: number
  /** Id of the post to which this post replies, or null if it is not a reply. */
  parent_id: number | null
  user_id: number
  /** The text of the post, which is empty if the post was deleted. */
  text: string
  /** Ids of the players whom the post mentions. */
  mentions: Generated<number[]>
  /** Price of the token when the post was written, or null in lobbies. */
  price: Numeric | null
  /** Sequence number of the token's last trade at that time. */
  seq: number | null
  state: Generated<'shown' | 'held' | 'hidden' | 'deleted'>
  /** Hash that is equal for texts that look alike. */
  skeleton: number
  /** Number of visible replies. */
  replies: Generated<number>
  /** Number of reactions of each kind. */
  reactions: Generated<number[]>
  /** Position in the journal, which is set at the commit, or null if the post was never shown. */
  position: number | null
  /** Position of the last change in the journal. A negative value requests the next position. */
  changed_position: number | null
  created_at: Date
  edited_at: Date | null
  /** SOL that the writer of a statement lost with the token, or null for other posts. */
  lost: Numeric | null
}

export interface CourtVotesTable {
  /** Id of a rugged token from either market. */
  token_id: number
  user_id: number
  verdict: 'fair game' | 'scoundrel'
  /** SOL that the voter lost, but at most 5. */
  weight: Numeric
  created_at: Date
}

export interface PostReactionsTable {
  post_id: number
  user_id: number
  /** Index in the list `REACTIONS`. */
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

/**
 * A thing that players reported or that was put on hold. A thing has at most one open case, even after many reports.
 */
export interface CasesTable {
  id: Generated<number>
  kind: CaseKind
  target_id: number
  accused_user_id: number | null
  /** Fair of the reported thing, or null for the fairground. */
  fair_id: number | null
  /** The reported text at the time of the report. */
  words: string
  /** Why the post was put on hold, or null if it was shown. */
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
  /** The room whose host muted the player, or 0 means everywhere. */
  fair_id: number
  until: Date
}

/** Id of the newest row of `moderation_log`, in at most one row. */
export interface ModerationHeadTable {
  is_only: Generated<boolean>
  log_id: number
  hash: Buffer
}

/** Every act of a moderator. The table is append-only, and each row has a hash over the previous one. */
export interface ModerationLogTable {
  /** Number of the act, counted from 1 without gaps. */
  id: number
  at: Date
  /** The moderator, or null for an operator's command. */
  actor_id: number | null
  as_role: 'moderator' | 'operator' | 'host' | 'command'
  act: string
  kind: CaseKind | 'player' | 'word' | 'fair' | 'bound' | 'announcement'
  target_id: number
  concerned_id: number | null
  case_id: number | null
  /** Number of the act that this act reverses. */
  undoes: number | null
  detail: string
  /** SHA-256 of the row in `moderation_words`, which is deleted later. */
  words_hash: Buffer
  hash: Buffer
}

/** Texts and reasons of the log. These texts are stored for a year. */
export interface ModerationWordsTable {
  log_id: number
  /**
   * Random bytes that are hashed with the text. Without these bytes, someone could guess short texts from their hash.
   */
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

/** Words that put posts on hold until a moderator has checked them. */
export interface HeldWordsTable {
  word: string
  created_at: Date
}

/** The database, or a transaction in the database. */
export type Db = Kysely<Database>
/** A transaction, as the argument of functions that must run in a transaction. */
export type Tx = Transaction<Database>

/** The whole schema for Kysely. */
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

/** The tables that a connection finds if its search path begins with the schema `fairs`. */
export type FairsDatabase = Omit<Database, 'accounts'> & { accounts: FairAccountsTable }
