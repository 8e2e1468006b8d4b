/** Links of the navigation bar; the static first view draws the same names in the same places. */
export const NAV_PLACES = [
  { to: '/', name: 'Explore' },
  { to: '/leaderboard', name: 'Leaderboard' },
  { to: '/docs', name: 'Docs' },
] as const
