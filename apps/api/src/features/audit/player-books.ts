import { Decimal, type Sol } from '@papermoon/amm'
import type { Differences } from './differences.ts'
import type { PlayerRow } from './store.ts'
import type { RowStream } from './streaming-snapshot.ts'

/** A player's totals in SOL, which can be negative. */
interface Sums {
  balance: Decimal
  realizedPnl: Decimal
}

const ZERO = new Decimal(0)
const FAIRGROUND = 1

/** Totals of what players gained and paid in one fair, in SOL. */
export interface FairBooks {
  add(userId: number, balance: Sol, realizedPnl: Sol): void
}

/** Two totals that the journal gives for each player in each fair. */
export class PlayerBooks {
  readonly #players = new Map<string, Sums>()

  ofFair(fairId: number): FairBooks {
    return { add: (userId, balance, realizedPnl) => this.#add(nameAccount(fairId, userId), balance, realizedPnl) }
  }

  #add(account: string, balance: Sol, realizedPnl: Sol): void {
    const sums = this.#players.get(account)
    if (sums === undefined) this.#players.set(account, { balance, realizedPnl })
    else {
      sums.balance = sums.balance.add(balance)
      sums.realizedPnl = sums.realizedPnl.add(realizedPnl)
    }
  }

  /** Compares every account with the grants and the journal. Returns the sums of the stored values. */
  async compare(players: RowStream<PlayerRow>, differences: Differences): Promise<{ granted: Sol; balances: Sol }> {
    let granted = ZERO
    let balances = ZERO
    for (let row = await players.take(); row !== undefined; row = await players.take()) {
      granted = granted.add(row.granted)
      balances = balances.add(row.sol_balance ?? 0)
      this.#comparePlayer(row, differences)
      this.#players.delete(nameAccount(row.fair_id, row.id))
    }
    for (const account of this.#players.keys()) {
      differences.add(account, 'the player is in the journal, but does not exist')
    }
    return { granted, balances }
  }

  #comparePlayer(row: PlayerRow, differences: Differences): void {
    const account = nameAccount(row.fair_id, row.id)
    const where = `${account} (${row.username})`
    if (row.sol_balance === null || row.realized_pnl === null) {
      differences.add(where, 'the player has no account')
      return
    }
    // Only house bots have no starting balance, because the house gives them all their money.
    const starts = row.kind === 'house' ? 0 : 1
    if (row.starting_grants !== starts) {
      differences.add(where, `the player has ${row.starting_grants} starting balances, but should have ${starts}`)
    }
    if (row.kind !== 'house' && row.house_grants > 0) {
      differences.add(where, `the player has ${row.house_grants} house-bot grants, but is not a house bot`)
    }
    const { balance, realizedPnl } = this.#players.get(account) ?? { balance: ZERO, realizedPnl: ZERO }
    differences.compare(where, [
      { figure: 'balance', stored: new Decimal(row.sol_balance), expected: balance.add(row.granted) },
      { figure: 'realized PnL', stored: new Decimal(row.realized_pnl), expected: realizedPnl },
    ])
  }
}

function nameAccount(fairId: number, userId: number): string {
  return fairId === FAIRGROUND ? `player ${userId}` : `fair ${fairId}, player ${userId}`
}
