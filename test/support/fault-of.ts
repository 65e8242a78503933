/** The error with which a promise rejects. */
export async function faultOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the promise was expected to reject');
}
