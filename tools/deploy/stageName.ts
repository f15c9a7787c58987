/** https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html */
const LONGEST_FUNCTION_NAME = 64;

/**
 * Why a stage cannot have its name, in one sentence. Undefined if it can. Of all names that contain it, function names have
 * the lowest limit. The framework itself refuses characters other than letters, digits and hyphens.
 *
 * @param functionNames the names of the functions in Lambda
 */
export function refusalOfName(stage: string, functionNames: readonly string[]): string | undefined {
  const longest = functionNames.toSorted((a, b) => b.length - a.length)[0] ?? '';
  if (longest.length <= LONGEST_FUNCTION_NAME) return undefined;
  const limit = LONGEST_FUNCTION_NAME - (longest.length - stage.length);
  return `The name of stage ${stage} is too long: it may have ${limit} characters, as the function ${longest} may have ${LONGEST_FUNCTION_NAME}.`;
}
