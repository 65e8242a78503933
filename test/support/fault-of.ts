/** What the work is rejected with. */
export async function faultOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('the work was to fail and did not');
}
