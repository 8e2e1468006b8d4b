export {
  addPlayer,
  aToken,
  type Books,
  balancedBooks,
  createTestMarket,
  readBooks,
  type TestMarket,
} from './test-market.ts'
