import { badRequest, type ServiceError } from '../../errors.ts';
import type { View } from './view.ts';

const ADVICE = 'narrow it by a filter, sort it by one property, or walk it by cursor';

const number = (units: number): string => Math.ceil(units).toLocaleString('en-US');

/** @throws {ServiceError} 400 when the estimate is above the budget */
export function ensureBudget({ budget }: View, { estimate }: { estimate: number }): void {
  if (estimate <= budget) return;
  throw badRequest(
    `This listing would read about ${number(estimate)} units, and ${number(budget)} are allowed: ${ADVICE}`,
  );
}

/** For a walk that costs more than its estimate. */
export const overBudget = ({ budget }: View): ServiceError =>
  badRequest(`This listing would read more than the ${number(budget)} units that are allowed: ${ADVICE}`);
