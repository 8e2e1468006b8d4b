/** Stands for the program that runs bots: ends with its input, or at once when its first line has no bots to speak of. */
process.stdin.setEncoding('utf8')
process.stdin.on('data', (text: string) => {
  if (text.includes('"seed"') && text.includes('broken')) process.exit(3)
})
process.stdin.on('end', () => process.exit(0))
