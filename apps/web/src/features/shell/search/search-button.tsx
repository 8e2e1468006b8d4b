import classes from '../nav/icon-button.module.css'

/** Opens the search of everything. `place` is a class of the bar that shows it in one of two places. */
export function SearchButton({ place, onOpen }: { place: string | undefined; onOpen: () => void }) {
  return (
    <button
      type="button"
      className={`${classes.button} ${place}`}
      aria-label="Search everything"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title="Search everything (Ctrl K)"
      onClick={onOpen}
    >
      <svg
        viewBox="0 0 24 24"
        width="20"
        height="20"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13Zm5 11.500L21 21" />
      </svg>
    </button>
  )
}
