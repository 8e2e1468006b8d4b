import type { StickerFacts } from '@papermoon/contract/stickers'
import { type RawBuilder, sql } from 'kysely'

/** A sticker. Each player gets a sticker only once, for the first event in the journal that earns it. */
type Sticker = StickerFacts

/** SQL condition for an event `e` from a source in `find-earned.ts`. */
interface EventSticker extends Sticker {
  readonly when: RawBuilder<unknown>
}

/** A sticker for the nth event of a kind. */
interface NthSticker extends Sticker {
  readonly n: number
}

/**
 * Stickers for trades. The conditions use side, sol_amount, token_amount and seq. `foreign` means another player's
 * token. `age` and `supply` are the token's.
 */
export const TRADE_STICKERS: readonly EventSticker[] = [
  { id: 'first-buy', emoji: '🎟️', name: 'First ride', rule: 'Buy a token.', when: sql`e.side = 'buy'` },
  { id: 'first-sale', emoji: '🪙', name: 'First sale', rule: 'Sell a token.', when: sql`e.side = 'sell'` },
  {
    id: 'buy-10',
    emoji: '🎈',
    name: 'All in',
    rule: 'Spend 10 SOL in one buy.',
    when: sql`e.side = 'buy' and e.sol_amount >= 10`,
  },
  {
    id: 'buy-50',
    emoji: '🎪',
    name: 'The whole tent',
    rule: 'Spend 50 SOL in one buy.',
    when: sql`e.side = 'buy' and e.sol_amount >= 50`,
  },
  {
    id: 'sale-10',
    emoji: '💰',
    name: 'Heavy pockets',
    rule: 'Get 10 SOL from one sale.',
    when: sql`e.side = 'sell' and e.sol_amount >= 10`,
  },
  {
    id: 'early',
    emoji: '🐦',
    name: 'Early bird',
    rule: 'Buy another player’s token within a minute of its launch.',
    when: sql`e.side = 'buy' and e.is_foreign and e.age <= interval '1 minute'`,
  },
  {
    id: 'five-percent',
    emoji: '🐋',
    name: 'Whale',
    rule: 'Buy 5% of another player’s token in one trade.',
    when: sql`e.side = 'buy' and e.is_foreign and e.token_amount >= e.supply * 0.05`,
  },
  {
    id: 'first-in',
    emoji: '🚪',
    name: 'First through the door',
    rule: 'Be the first to buy another player’s token.',
    when: sql`e.side = 'buy' and e.is_foreign and not exists (
      select from trades t where t.token_id = e.token_id and t.seq < e.seq and t.user_id <> e.creator_id)`,
  },
]

export const TRADE_COUNT_STICKERS: readonly NthSticker[] = [
  { id: 'trades-10', emoji: '🎠', name: 'Ten rounds', rule: 'Trade ten times.', n: 10 },
  { id: 'trades-100', emoji: '🎡', name: 'A hundred rounds', rule: 'Trade a hundred times.', n: 100 },
  { id: 'trades-1000', emoji: '🎢', name: 'Cannot stop', rule: 'Trade a thousand times.', n: 1_000 },
]

export const TOKEN_COUNT_STICKERS: readonly NthSticker[] = [
  { id: 'tokens-10', emoji: '🧺', name: 'Mixed bag', rule: 'Trade ten different tokens.', n: 10 },
  { id: 'tokens-50', emoji: '🗂️', name: 'Collector', rule: 'Trade fifty different tokens.', n: 50 },
]

export const LAUNCH_COUNT_STICKERS: readonly NthSticker[] = [
  { id: 'first-launch', emoji: '🚀', name: 'First launch', rule: 'Launch a token.', n: 1 },
  { id: 'launches-3', emoji: '🏭', name: 'Workshop', rule: 'Launch three tokens.', n: 3 },
  { id: 'launches-10', emoji: '🎆', name: 'Fireworks', rule: 'Launch ten tokens.', n: 10 },
]

/** Stickers for the number of other players who bought a player's token. */
export const BUYER_COUNT_STICKERS: readonly NthSticker[] = [
  { id: 'buyers-1', emoji: '🤝', name: 'Someone believes', rule: 'Get another player to buy your token.', n: 1 },
  {
    id: 'buyers-10',
    emoji: '👥',
    name: 'A small crowd',
    rule: 'Get ten other players to buy one of your tokens.',
    n: 10,
  },
  {
    id: 'buyers-50',
    emoji: '🏟️',
    name: 'Full house',
    rule: 'Get fifty other players to buy one of your tokens.',
    n: 50,
  },
]

/**
 * Stickers for the market cap of a player's token. These stickers are given at anyone's trade, once five others have
 * bought the token.
 */
export const OWN_TOKEN_STICKERS: readonly EventSticker[] = [
  {
    id: 'cap-60',
    emoji: '🌱',
    name: 'Doubled',
    rule: 'Bring your token to a market cap of 60 SOL, with five other buyers.',
    when: sql`e.market_cap >= 60`,
  },
  {
    id: 'cap-150',
    emoji: '🌳',
    name: 'Tall tree',
    rule: 'Bring your token to a market cap of 150 SOL, with five other buyers.',
    when: sql`e.market_cap >= 150`,
  },
  {
    id: 'cap-500',
    emoji: '🌙',
    name: 'Paper moon',
    rule: 'Bring your token to a market cap of 500 SOL, with five other buyers.',
    when: sql`e.market_cap >= 500`,
  },
]

/**
 * Stickers for positions. These stickers are given at the sale that closes a position. What a player gets depends on
 * the SOL paid and received, on the duration, and on the price's fall before the first sale.
 */
export const POSITION_STICKERS: readonly EventSticker[] = [
  {
    id: 'closed-win',
    emoji: '✅',
    name: 'In the black',
    rule: 'Sell all of a token at a profit.',
    when: sql`e.received > e.paid`,
  },
  {
    id: 'double',
    emoji: '✌️',
    name: 'Doubled up',
    rule: 'Sell all of a token for at least twice what it cost (0.1 SOL or more).',
    when: sql`e.paid >= 0.1 and e.received >= e.paid * 2`,
  },
  {
    id: 'tenfold',
    emoji: '🔟',
    name: 'Tenfold',
    rule: 'Sell all of a token for at least ten times what it cost (0.1 SOL or more).',
    when: sql`e.paid >= 0.1 and e.received >= e.paid * 10`,
  },
  {
    id: 'won-1',
    emoji: '🥂',
    name: 'One up',
    rule: 'Sell all of a token with a profit of 1 SOL or more.',
    when: sql`e.received >= e.paid + 1`,
  },
  {
    id: 'won-10',
    emoji: '🍾',
    name: 'Ten up',
    rule: 'Sell all of a token with a profit of 10 SOL or more.',
    when: sql`e.received >= e.paid + 10`,
  },
  {
    id: 'half-lost',
    emoji: '🩹',
    name: 'That hurt',
    rule: 'Sell all of a token for less than half of what it cost.',
    when: sql`e.paid >= 0.1 and e.received < e.paid / 2`,
  },
  {
    id: 'paper-hands',
    emoji: '🧻',
    name: 'Paper hands',
    rule: 'Sell all of a token within ten seconds of buying it.',
    when: sql`e.lasted <= interval '10 seconds'`,
  },
  {
    id: 'kept-day',
    emoji: '🛌',
    name: 'Slept on it',
    rule: 'Hold a token for a day before you sell all of it.',
    when: sql`e.lasted >= interval '1 day'`,
  },
  {
    id: 'kept-week',
    emoji: '🗿',
    name: 'Patience',
    rule: 'Hold a token for a week before you sell all of it.',
    when: sql`e.lasted >= interval '7 days'`,
  },
  {
    id: 'held-80',
    emoji: '💎',
    name: 'Held through −80%',
    rule: 'Hold a token while its price falls 80% below your first buy, then sell at twice the lowest price or more.',
    when: sql`exists (
      select from trades t
       where t.token_id = e.token_id and t.seq > e.first_seq and t.seq < e.first_sale_seq
         and t.spot_price <= e.first_price * 0.2 and t.spot_price * 2 <= e.first_sale_price)`,
  },
]

const MOVED_MIN = 0.3
const THREE_OTHERS = sql`(
  select count(*) from (
    select distinct t.user_id from trades t
     where t.token_id = e.token_id and t.seq > e.seq and t.created_at <= e.day_later and t.user_id <> e.user_id limit 3
  ) other) = 3`
/**
 * Stickers for trades of at least 0.5 SOL, given a day later. Three other players must trade the token within that day,
 * so a lone player cannot earn them.
 */
export const DAY_LATER_STICKERS: readonly EventSticker[] = [
  {
    id: 'sold-top',
    emoji: '🏔️',
    name: 'Sold the top',
    rule: 'Sell within 2% of a token’s record price. Within a day, the price must fall 30% without a new record.',
    when: sql`e.side = 'sell' and not exists (
        select from trades t where t.token_id = e.token_id and t.created_at <= e.day_later and t.spot_price * 0.98 > e.price)
      and exists (select from trades t where t.token_id = e.token_id and t.seq > e.seq and t.created_at <= e.day_later
        and t.spot_price <= e.price * (1 - ${MOVED_MIN}::numeric)) and ${THREE_OTHERS}`,
  },
  {
    id: 'bought-bottom',
    emoji: '🕳️',
    name: 'Bought the bottom',
    rule: 'Buy within 2% of a day’s lowest price, after a 30% fall and before a 30% rise.',
    when: sql`e.side = 'buy' and not exists (
        select from trades t where t.token_id = e.token_id and t.created_at between e.day_before and e.day_later
           and t.spot_price * 1.02 < e.price)
      and exists (select from trades t where t.token_id = e.token_id and t.seq < e.seq and t.created_at >= e.day_before
        and t.spot_price * (1 - ${MOVED_MIN}::numeric) >= e.price)
      and exists (select from trades t where t.token_id = e.token_id and t.seq > e.seq and t.created_at <= e.day_later
        and t.spot_price >= e.price * (1 + ${MOVED_MIN}::numeric)) and ${THREE_OTHERS}`,
  },
]

/** Stickers for players who held a token when its creator rugged it. */
export const VICTIM_STICKERS: readonly EventSticker[] = [
  { id: 'rugged', emoji: '🧹', name: 'First rugged', rule: 'Hold a token when it is rugged.', when: sql`e.held > 0` },
  {
    id: 'rugged-5',
    emoji: '🕯️',
    name: 'Expensive lesson',
    rule: 'Lose 5 SOL in one rug pull.',
    when: sql`e.held > 0 and e.paid >= e.received + 5`,
  },
  {
    id: 'escaped',
    emoji: '💨',
    name: 'Smelled it',
    rule: 'Sell all of a token for 0.5 SOL or more in the last minute before its rug pull.',
    when: sql`e.held = 0 and e.received >= 0.5 and e.since_sale <= interval '1 minute'`,
  },
]

/** Stickers for rug pulls, which depend on the SOL that the creator took and on the cost of the others' holdings. */
export const RUG_STICKERS: readonly EventSticker[] = [
  {
    id: 'rugger',
    emoji: '🪤',
    name: 'Scoundrel',
    rule: 'Rug a token that someone else holds.',
    when: sql`e.victims > 0`,
  },
  {
    id: 'rug-10',
    emoji: '🏴‍☠️',
    name: 'Pirate',
    rule: 'Take 10 SOL with one rug pull.',
    when: sql`e.victims > 0 and e.amount >= 10`,
  },
  {
    id: 'rug-crowd',
    emoji: '🎭',
    name: 'Crowd pleaser',
    rule: 'Rug a token that five other players hold.',
    when: sql`e.victims >= 5`,
  },
  {
    id: 'rugged-rugger',
    emoji: '⚖️',
    name: 'Rugged a rugger',
    rule: 'Rug a token while another player who has pulled a rug holds at least 0.1 SOL of it.',
    when: sql`e.ruggers > 0`,
  },
]

/**
 * Stickers for the start and end of seals on a player's token, which depend on the number of other buyers until then.
 */
export const SEAL_STICKERS: readonly EventSticker[] = [
  { id: 'first-seal', emoji: '🔏', name: 'Wax seal', rule: 'Seal one of your tokens.', when: sql`not e.has_ended` },
  {
    id: 'promise',
    emoji: '📜',
    name: 'Kept the promise',
    rule: 'Seal a token for a day or longer, and let the seal end after five other players have bought.',
    when: sql`e.has_ended and e.is_long and e.buyers >= 5`,
  },
]

/** Stickers for ranks in closed giveaway windows. */
export const MEDAL_STICKERS: readonly EventSticker[] = [
  {
    id: 'medal',
    emoji: '🏅',
    name: 'First medal',
    rule: 'Finish a six-hour giveaway window in the Top 3.',
    when: sql`e.rank <= 3`,
  },
  {
    id: 'gold',
    emoji: '🥇',
    name: 'Gold',
    rule: 'Finish a six-hour giveaway window in first place.',
    when: sql`e.rank = 1`,
  },
  {
    id: 'crowded-gold',
    emoji: '👑',
    name: 'King of the fair',
    rule: 'Finish a six-hour giveaway window in first place, after trading against five other players.',
    when: sql`e.rank = 1 and e.counterparties >= 5`,
  },
]

/** Stickers for results of arenas, in which `players` were ranked. */
export const ARENA_STICKERS: readonly EventSticker[] = [
  { id: 'arena', emoji: '🥊', name: 'Into the ring', rule: 'Be ranked in an arena.', when: sql`true` },
  {
    id: 'arena-won',
    emoji: '🏵️',
    name: 'Last one standing',
    rule: 'Win an arena in which four or more players, bots included, are ranked.',
    when: sql`e.place = 1 and e.players >= 4`,
  },
  {
    id: 'arena-gold',
    emoji: '🏆',
    name: 'Real gold',
    rule: 'Win a gold medal in an arena that is not of paper.',
    when: sql`e.medal = 1 and not e.is_paper`,
  },
]

/**
 * All stickers, in the order in which an album shows them. To give a new sticker for past events, too, set the stored
 * positions back to 0.
 */
export const STICKERS: readonly Sticker[] = [
  ...TRADE_STICKERS,
  ...TRADE_COUNT_STICKERS,
  ...TOKEN_COUNT_STICKERS,
  ...POSITION_STICKERS,
  ...DAY_LATER_STICKERS,
  ...LAUNCH_COUNT_STICKERS,
  ...BUYER_COUNT_STICKERS,
  ...OWN_TOKEN_STICKERS,
  ...VICTIM_STICKERS,
  ...RUG_STICKERS,
  ...SEAL_STICKERS,
  ...ARENA_STICKERS,
  ...MEDAL_STICKERS,
]
