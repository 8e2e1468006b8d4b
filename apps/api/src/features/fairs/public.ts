export {
  chooseMarket,
  type FairMarket,
  findFairOfToken,
  findVisibleFairs,
  isMember,
  isPrivate,
  watchMember,
} from './access.ts'
export { hasFreeSeat, takeSeat } from './enter.ts'
export { FairNotFoundError } from './errors.ts'
export { addFairTerms, findAccountId, formatMoment } from './fair-account.ts'
export { computeLeague, drawGroups, findWeek, toNextDivision, toWeek } from './league/compute-league.ts'
export { LASTING_QUESTS, selectDone } from './league/quests.ts'
export { computeResults, type ResultRow } from './results.ts'
