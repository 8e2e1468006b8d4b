/** Links in the navigation bar. The static first view shows the same names in the same places. */
export const NAV_LINKS = [
  { to: '/', name: 'Explore' },
  { to: '/fairs/{-$id}', name: 'Fairs' },
  { to: '/tape', name: 'Tape' },
  { to: '/leaderboard', name: 'Leaderboard' },
  { to: '/docs', name: 'Docs' },
] as const
