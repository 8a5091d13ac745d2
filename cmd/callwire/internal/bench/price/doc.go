// Package price says what tokens cost, and keeps a run within a budget.
package price
