import { TAPE_MS } from '@papermoon/contract/tape'
import { words } from '@papermoon/contract/words'
import type { Database, FairsDatabase } from '@papermoon/db'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** All tables, including those for fairs other than the fairground, which are in the schema `fairs`. */
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

/** What an account's deletion does to the player's rows in a table. */
type OnDeletion =
  /** The rows are deleted. */
  | 'erase'
  /** The rows stay, because the journal and the data computed from it belong to the whole market. */
  | 'keep'
  /** Statements in `store.ts` change the rows. */
  | 'rewrite'

/** The reason why an export of personal data leaves out columns. */
type Reason =
  /** The columns prove a player's identity. */
  | 'secret'
  /** The columns can be computed from the export. */
  | 'derived'
  /** The columns do not describe the player. */
  | 'internal'
  /** The columns describe other players. */
  | 'others'

interface Entry<T extends Table> {
  /** The column with the player's id, by default `user_id`. */
  readonly owner?: Column<T>
  /** The table's name in an export, by default its own name. */
  readonly section?: string
  /** A total order of a player's rows, by default by `id`. */
  readonly order?: readonly Column<T>[]
  /** The columns that an export contains. If no columns are given, the table is not exported. */
  readonly exported?: readonly Column<T>[]
  readonly withheld?: Readonly<Partial<Record<Reason, readonly Column<T>[]>>>
  /**
   * SQL condition for the rows that an export contains. Without this condition, an export contains all of the player's
   * rows.
   */
  readonly shown?: (now: Date) => RawBuilder<SqlBool>
  /** What an account's deletion does to the rows, by default `erase`. */
  readonly onDeletion?: OnDeletion
}

export interface PersonalTable {
  readonly table: Table
  readonly owner: string
  readonly section: string | null
  readonly order: readonly string[]
  readonly exported: readonly string[]
  readonly withheld: readonly string[]
  readonly shown?: Entry<Table>['shown']
  readonly onDeletion: OnDeletion
}

/** Returns a column's or table's name in an export. */
export function toCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_underscore, letter: string) => letter.toUpperCase())
}

function personal<T extends Table>(table: T, entry: Entry<T>): PersonalTable {
  const withheld = Object.values<readonly string[]>(entry.withheld ?? {}).flat()
  const section = entry.exported === undefined ? null : toCamelCase(table)
  return { owner: 'user_id', section, order: ['id'], exported: [], onDeletion: 'erase', ...entry, table, withheld }
}

const fairground: readonly PersonalTable[] = [
  personal('users', {
    owner: 'id',
    section: 'profile',
    exported: words(
      'id username email email_verified_at wallet profile_picture_url warning standing',
      'standing_reason created_at deletion_due_at kind emoji about role hides_follows',
      'keeps_posts',
    ),
    withheld: { derived: ['username_key', 'email_key'], secret: ['password_hash'], internal: ['deleted_at'] },
    onDeletion: 'rewrite',
  }),
  personal('accounts', {
    section: 'balance',
    order: ['user_id'],
    exported: words('sol_balance realized_pnl'),
    withheld: { derived: ['account_id'] },
    onDeletion: 'keep',
  }),
  personal('sessions', {
    exported: words('id created_at last_used_at expires_at address browser confirmed_at factor_at'),
    withheld: { secret: ['token_hash'], internal: ['plain_cookie_until'] },
  }),
  personal('api_keys', {
    exported: words('id name scopes created_at last_used_at expires_at networks spending_limit spent', 'spent_on'),
    withheld: { secret: ['key_hash'] },
  }),
  personal('watchlist', { order: ['token_id'], exported: words('token_id starred_at') }),
  personal('tape_plays', {
    order: ['day'],
    exported: words('day started_at bought_ms sold_ms gain strip'),
    withheld: { internal: ['id', 'browser_hash'] },
    // Leave out an unfinished game, because its row already contains the final gain.
    shown: (now) => sql`(sold_ms is not null or started_at <= ${new Date(now.getTime() - TAPE_MS)})`,
  }),
  personal('uploads', {
    withheld: { internal: ['key', 'created_at', 'expires_at', 'received_at', 'bytes'], secret: ['secret_hash'] },
  }),
  personal('email_links', {
    order: ['user_id'],
    exported: words('email created_at expires_at'),
    withheld: { secret: ['token_hash'], derived: ['email_key'] },
  }),
  personal('password_resets', {
    withheld: {
      secret: ['token_hash', 'account_key', 'code_hash', 'secret_hash'],
      internal: ['tries', 'created_at', 'expires_at'],
    },
  }),
  personal('totp_secrets', {
    section: 'authenticatorApps',
    order: ['user_id'],
    exported: words('created_at enabled_at'),
    withheld: { secret: ['sealed', 'last_step'] },
  }),
  personal('totp_tries', { withheld: { internal: ['is_known', 'tried_at'] } }),
  personal('recovery_codes', { withheld: { secret: ['selector', 'code_hash'] } }),
  personal('passkeys', {
    exported: words('id name rp_id is_synced transports created_at last_used_at'),
    withheld: { secret: ['credential_id', 'public_key'], internal: ['counter'] },
  }),
  personal('passkey_owners', { withheld: { secret: ['handle'] } }),
  personal('passkey_challenges', {
    withheld: { secret: ['holder', 'challenge'], internal: ['purpose', 'expires_at'] },
  }),
  personal('account_events', {
    order: ['at', 'id'],
    exported: words('id kind at times address browser detail'),
    withheld: { internal: ['merge_key', 'is_logged'] },
  }),
  personal('bot_spans', { order: ['since'], exported: words('since until') }),
  personal('stickers', { order: ['sticker'], exported: words('sticker token_id seq at') }),
  personal('notices', { exported: words('id kind token_id created_at read_at'), withheld: { internal: ['cause_id'] } }),
  personal('notice_settings', {
    order: ['user_id'],
    exported: words('muted reminder_hour reminder_by_mail reminded_on'),
  }),
  personal('price_alerts', {
    exported: words('id token_id measure value direction price since_seq created_at done_at done_seq'),
    withheld: { internal: ['is_new'] },
  }),
  personal('push_devices', {
    exported: words('id endpoint created_at gone_at'),
    withheld: { secret: ['session_hash', 'p256dh', 'auth'] },
  }),
  personal('outbox', {
    withheld: { internal: words('id channel target_id message_id created_at due_at attempts last_error detail') },
  }),
  personal('webhooks', {
    exported: words(
      'id host format events token_ids fairs created_at verified_at stopped_at',
      'failing_since last_at last_status last_error missed messages',
    ),
    withheld: {
      secret: ['url_hash', 'url_sealed', 'secret_sealed', 'old_secret_sealed'],
      internal: words(
        'old_secret_until trade_id token_id cause_id notice_id fair_trade_id fair_token_id',
        'fair_rug_id fair_moment_id is_ready busy_until',
      ),
    },
  }),
  personal('grants', { order: ['created_at', 'id'], exported: words('id kind amount created_at'), onDeletion: 'keep' }),
  personal('holdings', {
    order: ['token_id'],
    exported: words('token_id amount cost'),
    withheld: { derived: ['is_large'] },
    onDeletion: 'keep',
  }),
  personal('tokens', {
    owner: 'creator_id',
    section: 'launches',
    exported: words(
      'id fair_id name symbol emoji description website x telegram supply launch_price',
      'launch_fee request_key created_at hidden_at',
    ),
    withheld: { derived: ['request_hash', 'is_rugged'], internal: ['position'] },
    onDeletion: 'keep',
  }),
  personal('trades', {
    order: ['created_at', 'id'],
    exported: words('id token_id seq side sol_amount fee token_amount price request_key created_at'),
    withheld: { internal: ['sol_reserve', 'token_reserve', 'spot_price', 'hash'] },
    onDeletion: 'keep',
  }),
  personal('rugs', {
    order: ['token_id'],
    exported: words('token_id seq amount request_key created_at'),
    withheld: { internal: ['hash', 'position'] },
    onDeletion: 'keep',
  }),
  personal('seals', {
    order: ['token_id', 'n'],
    exported: words('token_id n kind seq term with_bag until bag_until bag_tokens request_key created_at'),
    withheld: { internal: ['hash', 'position', 'told', 'ended_position'] },
    onDeletion: 'keep',
  }),
  personal('waiting_orders', {
    exported: words(
      'id token_id kind price stop_price least_price amount left_amount fills replaces',
      'request_key placed_at expires_at state cause ended_at',
    ),
    withheld: { internal: ['account_id', 'key_id', 'filled_in', 'position'], derived: ['below', 'above', 'digest'] },
    // Waiting orders are cancelled. Fills of cancelled orders stay in the journal.
    onDeletion: 'keep',
  }),
  personal('posts', {
    exported: words('id topic parent_id text mentions price seq state replies reactions created_at', 'edited_at lost'),
    withheld: { derived: ['skeleton'], internal: ['position', 'changed_position'] },
    // The text is deleted, but an empty post remains if it has replies. If the player chose to keep the posts, the text
    // stays.
    onDeletion: 'rewrite',
  }),
  personal('court_votes', {
    order: ['token_id'],
    exported: words('token_id verdict weight created_at'),
    // A verdict stays when a juror or the accused player is deleted.
    onDeletion: 'keep',
  }),
  personal('post_reactions', { section: 'reactions', order: ['post_id'], exported: words('post_id kind') }),
  personal('follows', { order: ['kind', 'target_id'], exported: words('kind target_id created_at') }),
  personal('blocks', { order: ['blocked_user_id'], exported: words('blocked_user_id created_at') }),
  personal('blocks', { owner: 'blocked_user_id', withheld: { others: ['user_id', 'created_at'] } }),
  personal('reports', { exported: words('id case_id reason note created_at') }),
  // Reports of other players about this player. These reports are deleted together with the moderation log, after the
  // retention period.
  personal('cases', {
    owner: 'accused_user_id',
    withheld: {
      internal: ['id', 'held_for'],
      others: ['kind', 'target_id', 'fair_id', 'reports', 'opened_at', 'decided_at', 'outcome'],
      derived: ['words'],
    },
    onDeletion: 'keep',
  }),
  personal('mutes', { order: ['fair_id'], exported: words('fair_id until') }),
  personal('appeals', { order: ['log_id'], exported: words('log_id words created_at decided_at is_granted') }),
  personal('window_winners', {
    section: 'giveawayWins',
    order: ['window_started_at'],
    exported: words('window_started_at rank username wallet profit trades counterparties'),
    withheld: {
      others: ['wallet_accounts', 'browser_accounts', 'source_user_id', 'source_percent', 'source_shares_browser'],
      derived: ['account_created_at'],
    },
    onDeletion: 'rewrite',
  }),
  // The other player from whose money the profit came.
  personal('window_winners', {
    owner: 'source_user_id',
    withheld: {
      others: words(
        'window_started_at rank user_id username wallet wallet_accounts account_created_at',
        'profit trades counterparties browser_accounts source_percent source_shares_browser',
      ),
    },
    onDeletion: 'keep',
  }),
  personal('account_browsers', {
    section: 'browsers',
    order: ['first_seen_at', 'browser_hash'],
    exported: words('first_seen_at last_seen_at'),
    withheld: { secret: ['browser_hash'] },
  }),
]

/** Tables for other fairs that have the same columns as the fairground's, with their names in an export. */
const COPIES = {
  tokens: 'fairLaunches',
  holdings: 'fairHoldings',
  trades: 'fairTrades',
  rugs: 'fairRugs',
  seals: 'fairSeals',
  waiting_orders: 'fairWaitingOrders',
  posts: 'fairPosts',
} as const

/** A player's data in fairs. Trades and balances are kept, like the fairground's. */
const fairs: readonly PersonalTable[] = [
  personal('fairs', {
    owner: 'host_id',
    section: 'hostedFairs',
    exported: words('id kind name stake starts_at ends_at state created_at'),
    withheld: {
      secret: ['secret', 'invite_hash', 'bell_at'],
      internal: words(
        'bell_window_s lobby_at launches rugs late_entry everyone_ranks depth house_tokens bots entrants_max',
        'limits_bots is_quick rematch_of',
        'note speed seen_at lost_ms started_at settled_at made_from',
      ),
    },
    // A room stays open without its host.
    onDeletion: 'keep',
  }),
  personal('fair_results', {
    order: ['fair_id'],
    exported: words(
      'fair_id place standing score is_ranked has_left trades medal is_paper rating_before rating_after',
      'league_points',
    ),
    withheld: { derived: ['is_bot'] },
    onDeletion: 'keep',
  }),
  personal('fair_ratings', {
    section: 'fairRating',
    order: ['user_id'],
    exported: words('rating deviation volatility fairs'),
    onDeletion: 'keep',
  }),
  personal('league_members', {
    section: 'leagues',
    order: ['week'],
    exported: words('week division group_number joined_at points place'),
    // The rows stay, so that the other players keep their ranks.
    onDeletion: 'keep',
  }),
  personal('quests_done', {
    section: 'quests',
    order: ['day', 'quest'],
    exported: words('day quest at'),
    onDeletion: 'keep',
  }),
  personal('fairs.accounts', {
    section: 'fairAccounts',
    order: ['fair_id'],
    exported: words('fair_id sol_balance realized_pnl stake entered_at left_at'),
    withheld: { internal: ['account_id'] },
    onDeletion: 'keep',
  }),
  ...fairground.flatMap((entry) => {
    const section = COPIES[entry.table as keyof typeof COPIES]
    return section === undefined ? [] : [{ ...entry, table: `fairs.${entry.table}`, section } as PersonalTable]
  }),
]

/**
 * Every table with rows about a player, the columns in an export, and what a deletion does. A test compares this list
 * with the database, so someone must decide about every new table or column.
 */
export const personalTables: readonly PersonalTable[] = [...fairground, ...fairs]
