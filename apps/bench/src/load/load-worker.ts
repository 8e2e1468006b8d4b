import { parentPort } from 'node:worker_threads'
import type { LoadPlan, OrderPlan } from './plans.ts'
import { runOrders } from './run-orders.ts'
import { runReads } from './run-reads.ts'

parentPort?.on('message', (plan: LoadPlan | OrderPlan) => {
  const running = 'paths' in plan ? runReads(plan) : runOrders(plan)
  running.then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  )
})
