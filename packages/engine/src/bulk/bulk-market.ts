import type { Sol } from '@papermoon/amm'
import type { TokenId } from '@papermoon/contract/ids'
import { applyOrder } from '../batch/apply-batch.ts'
import type { BatchChanges } from '../batch/changes.ts'
import { type Account, Market, withBalance } from '../batch/market.ts'
import { type Receipt, toUnqueued } from '../order-queue.ts'
import type { Order } from '../orders.ts'
import { EMPTY_READS } from '../sql/read.ts'

export interface BulkOrder {
  readonly order: Order
  /** Time of the order in Unix ms. */
  readonly atMs: number
  readonly requestKey: string
}

/**
 * A market in memory that applies many orders by the engine's rules, without the engine's queue, locks and reads. The
 * caller writes the changes batch by batch (`writeBatch`) or as one history (`writeHistory`). The players' rows must
 * already exist in the database.
 */
export class BulkMarket {
  readonly market = new Market()
  readonly #nextTokenId: () => TokenId

  /** `nextTokenId` returns the id of each launch. The default ids are 1, 2, …, for an empty database. */
  constructor({ nextTokenId = countFromOne() }: { readonly nextTokenId?: () => TokenId } = {}) {
    this.#nextTokenId = nextTokenId
  }

  addPlayer(player: Pick<Account, 'userId' | 'username'>, balance: Sol) {
    this.market.setAccount(withBalance({ ...player, id: player.userId }, balance))
  }

  /**
   * Applies one order on top of `changes`. If the order breaks a rule, throws the rule's `DomainError` and changes
   * nothing.
   */
  apply({ order, atMs, requestKey }: BulkOrder, changes: BatchChanges): Receipt {
    const reads = { ...EMPTY_READS, nextTokenId: this.#nextTokenId }
    return applyOrder({ market: this.market, changes, reads, nowMs: atMs }, toUnqueued(order, requestKey, false))
  }
}

function countFromOne(): () => TokenId {
  let last = 0
  return () => ++last as TokenId
}
