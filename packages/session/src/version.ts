/** The version that this program tells of itself. */
export const version = '0.1.0'
