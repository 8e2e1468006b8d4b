import type { ColumnType, Generated } from 'kysely'

/** A `numeric` column: read as its exact decimal text, written as one. Never a float. */
type Numeric = string
/** Set by the database's clock unless the writer gives one. */
type CreatedAt = ColumnType<Date, Date | undefined, never>

export type AccountStatus = 'active' | 'suspended' | 'frozen'

/** A registered player: who they are. What they own stands in `accounts` and `holdings`. */
export interface UsersTable {
  id: Generated<number>
  username: string
  /** The skeleton of the username: look-alikes share it, so it is unique. */
  username_key: string
  email: string
  /** The e-mail in lower case; unique. */
  email_key: string
  wallet: string
  password_hash: string
  profile_picture_url: string | null
  warning: string | null
  created_at: CreatedAt
  /** What an operator lets the player do: everything; sign in, read and sell; nothing. */
  standing: Generated<AccountStatus>
  /** What the operator said of it, for the player to read. */
  standing_reason: Generated<string | null>
  /** When the account is deleted unless its player undoes it; null: nobody asked. */
  deletion_due_at: Generated<Date | null>
  /** Since when nothing but the journal is left of the player. */
  deleted_at: Generated<Date | null>
  /** Since when the e-mail is known to be the player's; null: it never was, or no mail can be sent. */
  email_verified_at: Generated<Date | null>
}

/** A player's money. A narrow row of its own: the engine locks and rewrites it on every trade. */
export interface AccountsTable {
  user_id: number
  /** SOL, 9 decimals, never negative. */
  sol_balance: Numeric
  /** SOL, 9 decimals, signed: closed trades, rug proceeds, launch fees. */
  realized_pnl: Numeric
}

/** SOL that came into the world: the start balance and account resets. Append-only journal. */
export interface GrantsTable {
  id: Generated<number>
  user_id: number
  kind: 'register' | 'reset'
  amount: Numeric
  created_at: CreatedAt
}

/** An address that takes one file of a player. */
export interface UploadsTable {
  /** `{player}-{random}`: the name of the object, too. */
  key: string
  user_id: number
  /** SHA-256 of what the address proves itself with. */
  secret_hash: Buffer
  created_at: Date
  expires_at: Date
  /** Since when its bytes come, or came; null: the address is unused. */
  received_at: Date | null
  /** What it takes of the quotas; while it comes, what it may become. */
  bytes: number | null
}

/** A signed-in browser. The token itself is never stored, only its SHA-256. */
export interface SessionsTable {
  token_hash: Buffer
  /** What its player calls it by; says nothing of the token. */
  id: Generated<string>
  user_id: number
  created_at: CreatedAt
  /** To a few minutes. */
  last_used_at: Generated<Date>
  /** Where it was last used from; null for one that was not used since this is written down. */
  address: string | null
  /** In words: Firefox on Linux. */
  browser: string | null
  /** When it last gave a password, or another proof of who it is. */
  confirmed_at: Date | null
  /** Until when its token counts over https in a cookie without a prefix; null: never. */
  plain_cookie_until: Date | null
  expires_at: Date
}

/** A link that verifies an e-mail address, or changes to it; a player has at most one, the newest. */
export interface EmailLinksTable {
  user_id: number
  /** SHA-256 of the secret in the link. */
  token_hash: Buffer
  email: string
  email_key: string
  created_at: Date
  expires_at: Date
}

/** A code that sets a new password, bound to the browser that asked for it. */
export interface PasswordResetsTable {
  /** SHA-256 of the token in that browser's cookie. */
  token_hash: Buffer
  /** SHA-256 of the e-mail's key. */
  account_key: Buffer
  /** Null where nobody has this e-mail: the code fits nothing. */
  user_id: number | null
  /** argon2id of the six digits; null where only the link's secret is good. */
  code_hash: string | null
  /** SHA-256 of the long secret in the mailed link; null where none was mailed. */
  secret_hash: Generated<Buffer | null>
  /** By the browser that asked. */
  tries: Generated<number>
  created_at: Date
  expires_at: Date
}

/** A proof of work that was used: each is good once. Kept until its puzzle expires. */
export interface SpentProofsTable {
  /** The puzzle's. */
  nonce: Buffer
  expires_at: Date
}

/** What all callers together have spent of a budget since its window began. */
export interface SharedBudgetsTable {
  name: string
  began_at: Date
  spent: number
}

/** Tries at an account's codes by browsers that did not ask for them. */
export interface PasswordResetGuessesTable {
  account_key: Buffer
  /** Times of a day's tries, oldest first. */
  guessed_at: Date[]
}

/** What a program signs in with. The key itself is never stored, only its SHA-256. */
export interface ApiKeysTable {
  id: Generated<number>
  user_id: number
  name: string
  scopes: ('read' | 'trade')[]
  key_hash: Buffer
  created_at: Date
  /** To a minute or so. */
  last_used_at: Date | null
  /** Null: it does not expire. */
  expires_at: Generated<Date | null>
  /** Networks that it works from, in CIDR notation; empty: from everywhere. */
  networks: Generated<string[]>
}

/** Something that happened to an account; kept for 90 days. */
export interface AccountEventsTable {
  id: Generated<number>
  user_id: number
  kind: string
  /** The last time, where several are one row. */
  at: Date
  /** Null: an operator's command, or a job of the server. */
  address: string | null
  /** In words. */
  browser: string | null
  detail: ColumnType<Record<string, string | number | boolean | null>, string, string>
  /** Equal events with the same key are one row; null: a row of its own. */
  merge_key: string | null
  times: Generated<number>
  /** False until the server's security log has it: written by a command. */
  is_logged: Generated<boolean>
}

/** Keys that all nodes share, made at first use. */
export interface ServerKeysTable {
  name: string
  key: Buffer
  created_at: CreatedAt
}

/** A player's TOTP secret: a second factor once a code of it has been entered. */
export interface TotpSecretsTable {
  user_id: number
  /** Encrypted; see `secret-box.ts` of the API. */
  sealed: Buffer
  created_at: Date
  /** Null: begun, and not confirmed by a code yet. */
  enabled_at: Date | null
  /** The step (30 s since 1970) of the last code that was used: neither it nor an older one is taken again. */
  last_step: number | null
}

/** Wrong TOTP codes of a day: those of browsers that signed in before apart from everybody else's. */
export interface TotpTriesTable {
  user_id: number
  is_known: boolean
  /** Oldest first. */
  tried_at: Date[]
}

/** Recovery codes that have not been used. */
export interface RecoveryCodesTable {
  user_id: number
  /** The first two characters, which say which hash to compare with. */
  selector: string
  /** argon2id of the whole code. */
  code_hash: string
}

/** By what authenticators know a player: random, so that it tells nobody who they are. */
export interface PasskeyOwnersTable {
  user_id: number
  handle: Buffer
}

/** A public key that a player signs in with. */
export interface PasskeysTable {
  id: Generated<number>
  user_id: number
  credential_id: Buffer
  /** In COSE's form. */
  public_key: Buffer
  /** Uses as the authenticator counts them; 0 where it does not. */
  counter: number
  transports: string[]
  /** The domain that it was made for, and that alone it works at. */
  rp_id: string
  /** Whether it may be on several devices. */
  is_synced: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** What an authenticator is asked to sign: good once, for minutes, for one browser. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the token in the browser's cookie, or of its session's. */
  holder: Buffer
  purpose: 'login' | 'confirm' | 'add'
  /** Null where nobody is signed in. */
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
  /** The creator's idempotency key, and a hash of what was asked with it. */
  request_key: string | null
  request_hash: string | null
  created_at: CreatedAt
  /** Since when an operator hides it from everybody; null: listed. */
  hidden_at: Generated<Date | null>
}

/** The constant-product pool of a token, as it stands now. */
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
  /** Time of the last journal entry, or of the launch; never goes back. */
  last_event_at: Date
  rugged_at: Date | null
  /** SHA-256 of the last journal entry, or of the launch: the head of the token's chain. */
  chain_head: Buffer
}

/** What a player holds of a token and what it cost (average cost, fees included). */
export interface HoldingsTable {
  token_id: number
  user_id: number
  amount: Numeric
  cost: Numeric
  /** A two-thousandth of the supply or more; kept by the database. */
  is_large: ColumnType<boolean, never, never>
}

/** Every trade ever made: append-only journal. Pool figures are those right after the trade. */
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
  /** SHA-256 over the entry before it and its own figures, by the texts of `@papermoon/chain`. */
  hash: Buffer
}

/** A rug pull: the creator drained the real SOL of a pool and closed it for good. Append-only journal. */
export interface RugsTable {
  token_id: number
  seq: number
  user_id: number
  amount: Numeric
  /** The creator's idempotency key. */
  request_key: string | null
  created_at: Date
  /** As a trade's. */
  hash: Buffer
}

/**
 * Spot-price candles, kept by the engine: one row a token, width and bucket. A view: those that closed are rows of
 * `closed_candles`, the forming ones stand in the rows of their pools.
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
  /** SOL that traders paid, or were paid before the fee. */
  volume: Numeric
  trades: number
}

/** A fixed window of six hours whose winners are recorded; there may be none. */
export interface GiveawayWindowsTable {
  /** 00, 06, 12 or 18 h UTC. */
  started_at: Date
  closed_at: Date
}

/** A player with a profit in a window, as they stood when it was closed. */
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
  /** Others who traded the same tokens in the window. */
  counterparties: number
  /** How many accounts signed in from a browser of the winner's and are no younger, the winner's included. */
  browser_accounts: Generated<number>
  /** Who paid the largest part of the profit, and how much of it; null: nobody, or not known. */
  source_user_id: number | null
  source_percent: number | null
  /** That account signed in from a browser of the winner's. */
  source_shares_browser: Generated<boolean>
}

/** A browser that an account signed in from, for 90 days after the last time. */
export interface AccountBrowsersTable {
  user_id: number
  /** SHA-256 of the random token in the browser's cookie. */
  browser_hash: Buffer
  first_seen_at: Date
  last_seen_at: Date
}

/** A full replay of the journal, and what it found. */
export interface AuditsTable {
  id: Generated<number>
  started_at: Date
  finished_at: Date
  /** The largest id of a trade that was replayed; null: there was none. */
  last_trade_id: number | null
  trades: number
  tokens: number
  players: number
  differences: number
}

/** The heads of all chains, published. */
export interface HeadPublicationsTable {
  /** A full hour, UTC. */
  hour: Date
  /** At the hour, or later where no server ran. */
  published_at: Date
  tokens: number
  /** The digest of the publication before it; null: the first. */
  previous: Buffer | null
  /** SHA-256 of the publication's text by `@papermoon/chain`. */
  digest: Buffer
}

/** The head of one chain that moved since the publication before; it holds until the token's next row. */
export interface PublishedHeadsTable {
  token_id: number
  hour: Date
  seq: number
  hash: Buffer
}

/** The whole schema, as Kysely knows it. */
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
  candles: CandlesTable
  giveaway_windows: GiveawayWindowsTable
  window_winners: WindowWinnersTable
  audits: AuditsTable
  head_publications: HeadPublicationsTable
  published_heads: PublishedHeadsTable
}
