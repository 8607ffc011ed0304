/** An ISO 8601 time to the minute: `2030-01-31T12:00:00.000Z` becomes `2030-01-31 12:00 UTC`. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
