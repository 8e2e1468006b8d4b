// Before the first paint, so that nobody's dark room is lit up. The key is the one Mantine stores the choice under.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.mantineColorScheme = chosen
} catch {
  // Storage is blocked: the night stays.
}
