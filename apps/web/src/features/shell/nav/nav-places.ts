/** Where the bar leads, in its order; the page's first view has the same names in the same places. */
export const NAV_PLACES = [
  { to: '/', name: 'Explore' },
  { to: '/leaderboard', name: 'Leaderboard' },
  { to: '/docs', name: 'Docs' },
] as const
