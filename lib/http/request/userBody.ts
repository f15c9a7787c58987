import type { UserInput } from '../../../schemas/user.ts';
import { JSON_TYPE } from '../mediaTypes.ts';
import type { BodyRules } from './body.ts';
import { createValidator } from './validation.ts';
import { isUserInput } from './validators.ts';

/** @throws {ServiceError} 400 with the message of the first field that is not valid */
export const checkUser = createValidator(isUserInput);

/** The body of POST and PUT. */
export const userBody: BodyRules<UserInput> = { readers: { [JSON_TYPE]: checkUser } };
