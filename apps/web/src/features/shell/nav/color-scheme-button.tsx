import { chooseScheme, useShownScheme } from '../../../lib/ui/color-scheme.ts'

export function ColorSchemeButton() {
  const other = useShownScheme() === 'dark' ? 'light' : 'dark'
  return (
    <button
      type="button"
      className="icon-button"
      onClick={() => chooseScheme(other)}
      aria-label={other === 'light' ? 'Switch to light colours' : 'Switch to dark colours'}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
        {other === 'light' ? (
          <path
            d="M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10Zm0-5v2m0 16v2M4.900 4.900l1.400 1.400m11.400 11.400 1.400 1.400M2 12h2m16 0h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
          />
        ) : (
          <path d="M15.500 3A9.500 9.500 0 1 0 21 14.500 7.500 7.500 0 0 1 15.500 3Z" fill="currentColor" />
        )}
      </svg>
    </button>
  )
}
