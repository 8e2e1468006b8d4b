import classes from './tape.module.css'

const SQUARES: Readonly<Record<string, readonly [look: string, word: string, sign: string]>> = {
  '🟩': ['up', 'rose', '▲'],
  '🟥': ['down', 'fell', '▼'],
  '⬜': ['dim', 'unchanged', ''],
  '⬛': ['faint', 'not bought', ''],
}

/** Shows a game as a row of squares in the player's colours, with a text description. */
export function TapeStrip({ strip }: { strip: string }) {
  const squares = Array.from(strip, (square) => SQUARES[square] ?? ['faint', '', ''])
  return (
    <span
      className="row gap-xs centered full"
      role="img"
      aria-label={`Strip: ${squares.map(([, word]) => word).join(', ')}`}
    >
      {squares.map(([look, , sign], index) => (
        <span key={index} className={`boxed fit round-s text-xs ${classes.square} ${look}`}>
          <span>{sign}</span>
        </span>
      ))}
    </span>
  )
}
