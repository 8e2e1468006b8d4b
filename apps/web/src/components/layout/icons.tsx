export function BellIcon({ size, strokeWidth }: { size: number; strokeWidth: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path
        d="M12 3a6 6 0 0 0-6 6v3.500L4.200 16a.8.8 0 0 0 .7 1.200h14.200a.8.8 0 0 0 .7-1.200L18 12.500V9a6 6 0 0 0-6-6Zm-2.200 17a2.300 2.300 0 0 0 4.400 0"
        fill="none"
        stroke="currentColor"
        strokeWidth={strokeWidth}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export function SearchIcon({ size, className }: { size: number; className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path
        d="M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13Zm5 11.500L21 21"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </svg>
  )
}
