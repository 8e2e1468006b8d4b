import { parentPort } from 'node:worker_threads'
import type { LoadPlan } from './load-plan.ts'
import type { OrderPlan } from './order-plan.ts'
import { runLoad } from './run-load.ts'
import { runOrders } from './run-orders.ts'

parentPort?.on('message', (plan: LoadPlan | OrderPlan) => {
  const running = 'requests' in plan ? runLoad(plan) : runOrders(plan)
  running.then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  )
})
