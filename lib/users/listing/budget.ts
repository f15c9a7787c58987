import { badRequest, type ServiceError } from '../../errors.ts';
import type { View } from './view.ts';

const ADVICE = 'narrow it by a filter, sort it by one property, or walk it by cursor';

const number = (units: number): string => Math.ceil(units).toLocaleString('en-US');

/** @throws {ServiceError} 400 before a listing is read that would cost more than it may */
export function ensureBudget({ budget }: View, { estimate }: { estimate: number }): void {
  if (estimate <= budget) return;
  throw badRequest(
    `This listing would read about ${number(estimate)} units, and ${number(budget)} are allowed: ${ADVICE}`,
  );
}

/** For a walk that nobody could foresee to cost so much. */
export const overBudget = ({ budget }: View): ServiceError =>
  badRequest(`This listing would read more than the ${number(budget)} units that are allowed: ${ADVICE}`);
