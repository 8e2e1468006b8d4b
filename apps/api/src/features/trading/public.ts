export { placeOrder } from './trade.ts'
