/** Like `Promise.all`, but leaves nothing running behind a failure. */
export async function allSettled<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<{ -readonly [Key in keyof Works]: Awaited<Works[Key]> }> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
