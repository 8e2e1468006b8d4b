import { runProduct } from './lib/run-product.mjs'

await runProduct('packages/bots/src/load/main.ts')
