import { TAPE_MS } from '@papermoon/contract/tape'
import type { Database, FairsDatabase } from '@papermoon/db'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** With the market of all fairs but the fairground, which is in the schema `fairs`. */
type Tables = Database & {
  [T in
    | 'accounts'
    | 'tokens'
    | 'holdings'
    | 'trades'
    | 'rugs'
    | 'seals'
    | 'posts'
    | 'waiting_orders' as `fairs.${T}`]: FairsDatabase[T]
}
type Table = keyof Tables
type Column<T extends Table> = keyof Tables[T] & string

/** Effect of deleting an account on a player's rows in a table. */
type OnDeletion =
  /** The rows are removed. */
  | 'erase'
  /** Rows stay: the journal and what is computed from it belong to the books of the whole market. */
  | 'keep'
  /** Changed by the statements in `store.ts`. */
  | 'rewrite'

interface PersonalTableOf<T extends Table> {
  readonly table: T
  /** The column with the player's id. */
  readonly owner: Column<T>
  /** Its name in an export; null: not exported. */
  readonly section: string | null
  /** A total order of a player's rows. */
  readonly order: readonly Column<T>[]
  readonly exported: readonly Column<T>[]
  /** Columns left out of an export, with the reason. */
  readonly withheld: Readonly<Partial<Record<Column<T>, string>>>
  /** Which rows an export shows now; all of them where this is missing. */
  readonly shown?: (now: Date) => RawBuilder<SqlBool>
  readonly onDeletion: OnDeletion
}

export type PersonalTable = PersonalTableOf<Table>

const SECRET = 'proves who somebody is'
const DERIVED = 'can be derived from the export'
const INTERNAL = 'is not about the player'
const OTHERS = 'is about other players'

function personal<T extends Table>(entry: PersonalTableOf<T>): PersonalTable {
  return entry as unknown as PersonalTable
}

const fairground: readonly PersonalTable[] = [
  personal({
    table: 'users',
    owner: 'id',
    section: 'profile',
    order: ['id'],
    exported: [
      'id',
      'username',
      'email',
      'email_verified_at',
      'wallet',
      'profile_picture_url',
      'warning',
      'standing',
      'standing_reason',
      'created_at',
      'deletion_due_at',
      'kind',
      'emoji',
      'about',
      'role',
      'hides_follows',
      'keeps_posts',
    ],
    withheld: {
      username_key: DERIVED,
      email_key: DERIVED,
      password_hash: SECRET,
      deleted_at: INTERNAL,
    },
    onDeletion: 'rewrite',
  }),
  personal({
    table: 'accounts',
    owner: 'user_id',
    section: 'balance',
    order: ['user_id'],
    exported: ['sol_balance', 'realized_pnl'],
    withheld: { account_id: DERIVED },
    onDeletion: 'keep',
  }),
  personal({
    table: 'sessions',
    owner: 'user_id',
    section: 'sessions',
    order: ['id'],
    exported: ['id', 'created_at', 'last_used_at', 'expires_at', 'address', 'browser', 'confirmed_at', 'factor_at'],
    withheld: { token_hash: SECRET, plain_cookie_until: INTERNAL },
    onDeletion: 'erase',
  }),
  personal({
    table: 'api_keys',
    owner: 'user_id',
    section: 'apiKeys',
    order: ['id'],
    exported: [
      'id',
      'name',
      'scopes',
      'created_at',
      'last_used_at',
      'expires_at',
      'networks',
      'spending_limit',
      'spent',
      'spent_on',
    ],
    withheld: { key_hash: SECRET },
    onDeletion: 'erase',
  }),
  personal({
    table: 'watchlist',
    owner: 'user_id',
    section: 'watchlist',
    order: ['token_id'],
    exported: ['token_id', 'starred_at'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'tape_plays',
    owner: 'user_id',
    section: 'tapePlays',
    order: ['day'],
    exported: ['day', 'started_at', 'bought_ms', 'sold_ms', 'gain', 'strip'],
    withheld: { id: INTERNAL, browser_hash: INTERNAL },
    // A play that goes on has its gain already, as if held to the end.
    shown: (now) => sql`(sold_ms is not null or started_at <= ${new Date(now.getTime() - TAPE_MS)})`,
    onDeletion: 'erase',
  }),
  personal({
    table: 'uploads',
    owner: 'user_id',
    section: null,
    order: ['key'],
    exported: [],
    withheld: {
      key: INTERNAL,
      secret_hash: SECRET,
      created_at: INTERNAL,
      expires_at: INTERNAL,
      received_at: INTERNAL,
      bytes: INTERNAL,
    },
    onDeletion: 'erase',
  }),
  personal({
    table: 'email_links',
    owner: 'user_id',
    section: 'emailLinks',
    order: ['user_id'],
    exported: ['email', 'created_at', 'expires_at'],
    withheld: { token_hash: SECRET, email_key: DERIVED },
    onDeletion: 'erase',
  }),
  personal({
    table: 'password_resets',
    owner: 'user_id',
    section: null,
    order: ['token_hash'],
    exported: [],
    withheld: {
      token_hash: SECRET,
      account_key: SECRET,
      code_hash: SECRET,
      secret_hash: SECRET,
      tries: INTERNAL,
      created_at: INTERNAL,
      expires_at: INTERNAL,
    },
    onDeletion: 'erase',
  }),
  personal({
    table: 'totp_secrets',
    owner: 'user_id',
    section: 'authenticatorApps',
    order: ['user_id'],
    exported: ['created_at', 'enabled_at'],
    withheld: { sealed: SECRET, last_step: SECRET },
    onDeletion: 'erase',
  }),
  personal({
    table: 'totp_tries',
    owner: 'user_id',
    section: null,
    order: ['is_known'],
    exported: [],
    withheld: { is_known: INTERNAL, tried_at: INTERNAL },
    onDeletion: 'erase',
  }),
  personal({
    table: 'recovery_codes',
    owner: 'user_id',
    section: null,
    order: ['selector'],
    exported: [],
    withheld: { selector: SECRET, code_hash: SECRET },
    onDeletion: 'erase',
  }),
  personal({
    table: 'passkeys',
    owner: 'user_id',
    section: 'passkeys',
    order: ['id'],
    exported: ['id', 'name', 'rp_id', 'is_synced', 'transports', 'created_at', 'last_used_at'],
    withheld: { credential_id: SECRET, public_key: SECRET, counter: INTERNAL },
    onDeletion: 'erase',
  }),
  personal({
    table: 'passkey_owners',
    owner: 'user_id',
    section: null,
    order: ['user_id'],
    exported: [],
    withheld: { handle: SECRET },
    onDeletion: 'erase',
  }),
  personal({
    table: 'passkey_challenges',
    owner: 'user_id',
    section: null,
    order: ['holder', 'purpose'],
    exported: [],
    withheld: { holder: SECRET, purpose: INTERNAL, challenge: SECRET, expires_at: INTERNAL },
    onDeletion: 'erase',
  }),
  personal({
    table: 'account_events',
    owner: 'user_id',
    section: 'accountEvents',
    order: ['at', 'id'],
    exported: ['id', 'kind', 'at', 'times', 'address', 'browser', 'detail'],
    withheld: { merge_key: INTERNAL, is_logged: INTERNAL },
    onDeletion: 'erase',
  }),
  personal({
    table: 'bot_spans',
    owner: 'user_id',
    section: 'botSpans',
    order: ['since'],
    exported: ['since', 'until'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'stickers',
    owner: 'user_id',
    section: 'stickers',
    order: ['sticker'],
    exported: ['sticker', 'token_id', 'seq', 'at'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'notices',
    owner: 'user_id',
    section: 'notices',
    order: ['id'],
    exported: ['id', 'kind', 'token_id', 'created_at', 'read_at'],
    withheld: { cause_id: INTERNAL },
    onDeletion: 'erase',
  }),
  personal({
    table: 'notice_settings',
    owner: 'user_id',
    section: 'noticeSettings',
    order: ['user_id'],
    exported: ['muted'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'price_alerts',
    owner: 'user_id',
    section: 'priceAlerts',
    order: ['id'],
    exported: [
      'id',
      'token_id',
      'measure',
      'value',
      'direction',
      'price',
      'since_seq',
      'created_at',
      'done_at',
      'done_seq',
    ],
    withheld: { is_new: INTERNAL },
    onDeletion: 'erase',
  }),
  personal({
    table: 'push_devices',
    owner: 'user_id',
    section: 'pushDevices',
    order: ['id'],
    exported: ['id', 'endpoint', 'created_at'],
    withheld: { session_hash: SECRET, p256dh: SECRET, auth: SECRET },
    onDeletion: 'erase',
  }),
  personal({
    table: 'outbox',
    owner: 'user_id',
    section: null,
    order: ['id'],
    exported: [],
    withheld: {
      id: INTERNAL,
      channel: INTERNAL,
      target_id: INTERNAL,
      message_id: INTERNAL,
      created_at: INTERNAL,
      due_at: INTERNAL,
      attempts: INTERNAL,
      last_error: INTERNAL,
      detail: INTERNAL,
    },
    onDeletion: 'erase',
  }),
  personal({
    table: 'webhooks',
    owner: 'user_id',
    section: 'webhooks',
    order: ['id'],
    exported: [
      'id',
      'host',
      'format',
      'events',
      'token_ids',
      'fairs',
      'created_at',
      'verified_at',
      'stopped_at',
      'failing_since',
      'last_at',
      'last_status',
      'last_error',
      'missed',
      'messages',
    ],
    withheld: {
      url_hash: SECRET,
      url_sealed: SECRET,
      secret_sealed: SECRET,
      old_secret_sealed: SECRET,
      old_secret_until: INTERNAL,
      trade_id: INTERNAL,
      token_id: INTERNAL,
      cause_id: INTERNAL,
      notice_id: INTERNAL,
      ...{ fair_trade_id: INTERNAL, fair_token_id: INTERNAL, fair_rug_id: INTERNAL, fair_moment_id: INTERNAL },
      is_ready: INTERNAL,
      busy_until: INTERNAL,
    },
    onDeletion: 'erase',
  }),
  personal({
    table: 'grants',
    owner: 'user_id',
    section: 'grants',
    order: ['created_at', 'id'],
    exported: ['id', 'kind', 'amount', 'created_at'],
    withheld: {},
    onDeletion: 'keep',
  }),
  personal({
    table: 'holdings',
    owner: 'user_id',
    section: 'holdings',
    order: ['token_id'],
    exported: ['token_id', 'amount', 'cost'],
    withheld: { is_large: DERIVED },
    onDeletion: 'keep',
  }),
  personal({
    table: 'tokens',
    owner: 'creator_id',
    section: 'launches',
    order: ['id'],
    exported: [
      'id',
      'fair_id',
      'name',
      'symbol',
      'emoji',
      'description',
      'website',
      'x',
      'telegram',
      'supply',
      'launch_price',
      'launch_fee',
      'request_key',
      'created_at',
      'hidden_at',
    ],
    withheld: { request_hash: DERIVED, is_rugged: DERIVED },
    onDeletion: 'keep',
  }),
  personal({
    table: 'trades',
    owner: 'user_id',
    section: 'trades',
    order: ['created_at', 'id'],
    exported: [
      'id',
      'token_id',
      'seq',
      'side',
      'sol_amount',
      'fee',
      'token_amount',
      'price',
      'request_key',
      'created_at',
    ],
    withheld: { sol_reserve: INTERNAL, token_reserve: INTERNAL, spot_price: INTERNAL, hash: INTERNAL },
    onDeletion: 'keep',
  }),
  personal({
    table: 'rugs',
    owner: 'user_id',
    section: 'rugs',
    order: ['token_id'],
    exported: ['token_id', 'seq', 'amount', 'request_key', 'created_at'],
    withheld: { hash: INTERNAL, position: INTERNAL },
    onDeletion: 'keep',
  }),
  personal({
    table: 'seals',
    owner: 'user_id',
    section: 'seals',
    order: ['token_id', 'n'],
    exported: [
      'token_id',
      'n',
      'kind',
      'seq',
      'term',
      'with_bag',
      'until',
      'bag_until',
      'bag_tokens',
      'request_key',
      'created_at',
    ],
    withheld: { hash: INTERNAL, position: INTERNAL, told: INTERNAL, ended_position: INTERNAL },
    onDeletion: 'keep',
  }),
  personal({
    table: 'waiting_orders',
    owner: 'user_id',
    section: 'waitingOrders',
    order: ['id'],
    exported: [
      ...(['id', 'token_id', 'kind', 'price', 'stop_price', 'least_price', 'amount', 'left_amount', 'fills'] as const),
      ...(['replaces', 'request_key', 'placed_at', 'expires_at', 'state', 'cause', 'ended_at'] as const),
    ],
    withheld: {
      ...{ account_id: INTERNAL, key_id: INTERNAL, filled_in: INTERNAL, position: INTERNAL },
      ...{ below: DERIVED, above: DERIVED, digest: DERIVED },
    },
    // Those that wait are cancelled; their fills are in the journal.
    onDeletion: 'keep',
  }),
  personal({
    table: 'posts',
    owner: 'user_id',
    section: 'posts',
    order: ['id'],
    exported: [
      ...(['id', 'topic', 'parent_id', 'text', 'mentions', 'price', 'seq', 'state'] as const),
      ...(['replies', 'reactions', 'created_at', 'edited_at', 'lost'] as const),
    ],
    withheld: { skeleton: DERIVED, position: INTERNAL, changed_position: INTERNAL },
    // The words go, and a gap remains where replies hang on them; or they stay, if the player chose so.
    onDeletion: 'rewrite',
  }),
  personal({
    table: 'court_votes',
    owner: 'user_id',
    section: 'courtVotes',
    order: ['token_id'],
    exported: ['token_id', 'verdict', 'weight', 'created_at'],
    withheld: {},
    // A verdict stands, whoever leaves.
    onDeletion: 'keep',
  }),
  personal({
    table: 'post_reactions',
    owner: 'user_id',
    section: 'reactions',
    order: ['post_id'],
    exported: ['post_id', 'kind'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'follows',
    owner: 'user_id',
    section: 'follows',
    order: ['kind', 'target_id'],
    exported: ['kind', 'target_id', 'created_at'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'blocks',
    owner: 'user_id',
    section: 'blocks',
    order: ['blocked_user_id'],
    exported: ['blocked_user_id', 'created_at'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'blocks',
    owner: 'blocked_user_id',
    section: null,
    order: ['user_id'],
    exported: [],
    withheld: { user_id: OTHERS, created_at: OTHERS },
    onDeletion: 'erase',
  }),
  personal({
    table: 'reports',
    owner: 'user_id',
    section: 'reports',
    order: ['id'],
    exported: ['id', 'case_id', 'reason', 'note', 'created_at'],
    withheld: {},
    onDeletion: 'erase',
  }),
  // What others reported: erased after retention, like the log that it belongs to.
  personal({
    table: 'cases',
    owner: 'accused_user_id',
    section: null,
    order: ['id'],
    exported: [],
    withheld: {
      ...{ id: INTERNAL, kind: OTHERS, target_id: OTHERS, fair_id: OTHERS, words: DERIVED, held_for: INTERNAL },
      ...{ reports: OTHERS, opened_at: OTHERS, decided_at: OTHERS, outcome: OTHERS },
    },
    onDeletion: 'keep',
  }),
  personal({
    table: 'mutes',
    owner: 'user_id',
    section: 'mutes',
    order: ['fair_id'],
    exported: ['fair_id', 'until'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'appeals',
    owner: 'user_id',
    section: 'appeals',
    order: ['log_id'],
    exported: ['log_id', 'words', 'created_at', 'decided_at', 'is_granted'],
    withheld: {},
    onDeletion: 'erase',
  }),
  personal({
    table: 'window_winners',
    owner: 'user_id',
    section: 'giveawayWins',
    order: ['window_started_at'],
    exported: ['window_started_at', 'rank', 'username', 'wallet', 'profit', 'trades', 'counterparties'],
    withheld: {
      wallet_accounts: OTHERS,
      browser_accounts: OTHERS,
      source_user_id: OTHERS,
      source_percent: OTHERS,
      source_shares_browser: OTHERS,
      account_created_at: DERIVED,
    },
    onDeletion: 'rewrite',
  }),
  // The player whose money was the source of somebody else's profit.
  personal({
    table: 'window_winners',
    owner: 'source_user_id',
    section: null,
    order: ['window_started_at', 'rank'],
    exported: [],
    withheld: {
      window_started_at: OTHERS,
      rank: OTHERS,
      user_id: OTHERS,
      username: OTHERS,
      wallet: OTHERS,
      wallet_accounts: OTHERS,
      account_created_at: OTHERS,
      profit: OTHERS,
      trades: OTHERS,
      counterparties: OTHERS,
      browser_accounts: OTHERS,
      source_percent: OTHERS,
      source_shares_browser: OTHERS,
    },
    onDeletion: 'keep',
  }),
  personal({
    table: 'account_browsers',
    owner: 'user_id',
    section: 'browsers',
    order: ['first_seen_at', 'browser_hash'],
    exported: ['first_seen_at', 'last_seen_at'],
    withheld: { browser_hash: SECRET },
    onDeletion: 'erase',
  }),
]

/** Tables of the market of other fairs that are like the fairground's, with their sections. */
const COPIES = {
  tokens: 'fairLaunches',
  holdings: 'fairHoldings',
  trades: 'fairTrades',
  rugs: 'fairRugs',
  seals: 'fairSeals',
  waiting_orders: 'fairWaitingOrders',
  posts: 'fairPosts',
} as const

/** A player's part in fairs: their books are kept like the fairground's. */
const fairs: readonly PersonalTable[] = [
  personal({
    table: 'fairs',
    owner: 'host_id',
    section: 'hostedFairs',
    order: ['id'],
    exported: ['id', 'kind', 'name', 'stake', 'starts_at', 'ends_at', 'state', 'created_at'],
    withheld: {
      ...{ secret: SECRET, invite_hash: SECRET, bell_at: SECRET, bell_window_s: INTERNAL, lobby_at: INTERNAL },
      ...{
        launches: INTERNAL,
        rugs: INTERNAL,
        late_entry: INTERNAL,
        depth: INTERNAL,
        house_tokens: INTERNAL,
        bots: INTERNAL,
      },
      ...{ entrants_max: INTERNAL, note: INTERNAL, speed: INTERNAL, seen_at: INTERNAL, lost_ms: INTERNAL },
      ...{ started_at: INTERNAL, settled_at: INTERNAL },
    },
    // A room goes on without its host.
    onDeletion: 'keep',
  }),
  personal({
    table: 'fair_results',
    owner: 'user_id',
    section: 'fairResults',
    order: ['fair_id'],
    exported: ['fair_id', 'place', 'standing', 'score', 'is_ranked', 'has_left', 'trades', 'medal'],
    withheld: { is_bot: DERIVED },
    onDeletion: 'keep',
  }),
  personal({
    table: 'fair_ratings',
    owner: 'user_id',
    section: 'fairRating',
    order: ['user_id'],
    exported: ['rating', 'deviation', 'volatility', 'fairs'],
    withheld: {},
    onDeletion: 'keep',
  }),
  personal({
    table: 'fairs.accounts',
    owner: 'user_id',
    section: 'fairAccounts',
    order: ['fair_id'],
    exported: ['fair_id', 'sol_balance', 'realized_pnl', 'stake', 'entered_at', 'left_at'],
    withheld: { account_id: INTERNAL },
    onDeletion: 'keep',
  }),
  ...fairground.flatMap((entry) => {
    const section = COPIES[entry.table as keyof typeof COPIES]
    return section === undefined ? [] : [{ ...entry, table: `fairs.${entry.table}`, section } as PersonalTable]
  }),
]

/**
 * Every table with rows of a player, what an export shows of them, and what a deletion does with them. A test compares
 * this list with the database, so every new table or column needs a decision.
 */
export const personalTables: readonly PersonalTable[] = [...fairground, ...fairs]
