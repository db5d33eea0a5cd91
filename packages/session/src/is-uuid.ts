const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Tells whether a text has the form of a UUID: other names could be paths, or mean something else in a record. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
