const isSerious = { high: true, critical: true }

/**
 * Parses the output of `pnpm audit --json` into one line per high or critical finding; null if it is not a report, because
 * the registry did not answer.
 */
export function findSerious(output) {
  const report = parseReport(output)
  if (report === null) return null
  const advisories = Object.values(report.advisories)
  return advisories
    .filter(({ severity }) => isSerious[severity])
    .map(({ module_name: name, severity, title, url }) => `${name} (${severity}): ${title} ${url}`)
}

function parseReport(output) {
  const start = output.indexOf('{')
  if (start === -1) return null
  try {
    const report = JSON.parse(output.slice(start))
    return typeof report.advisories === 'object' && report.advisories !== null ? report : null
  } catch {
    return null
  }
}
