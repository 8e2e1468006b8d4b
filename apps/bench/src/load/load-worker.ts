import { replyToParent } from './ask-worker.ts'
import type { LoadPlan, LoadResult, OrderPlan } from './plans.ts'
import { runOrders } from './run-orders.ts'
import { runReads } from './run-reads.ts'

replyToParent<LoadPlan | OrderPlan, LoadResult>((plan) => ('paths' in plan ? runReads(plan) : runOrders(plan)))
