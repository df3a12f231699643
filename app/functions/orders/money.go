package orders

import (
	"fmt"
	"math"
)

// maxCents keeps every amount exact as a float64 of dollars and within what a
// demo shop sells: ten million dollars.
const maxCents = 1_000_000_000

// centsOf turns an amount in dollars into whole cents. It refuses what is not a
// number of cents, and what is out of range, instead of rounding it.
func centsOf(dollars float64) (int64, error) {
	scaled := dollars * 100
	cents := math.Round(scaled)
	if !(cents >= 1 && cents <= maxCents) {
		return 0, fmt.Errorf("expected an amount from 0.01 to %d dollars, got %v", maxCents/100, dollars)
	}
	// 0.29*100 is 28.999999999999996: the distance is the error of one product.
	if math.Abs(scaled-cents) > 1e-6 {
		return 0, fmt.Errorf("expected an amount with at most two decimals, got %v", dollars)
	}
	return int64(cents), nil
}

// dollarsOf turns cents into dollars: 12345 becomes 123.45.
func dollarsOf(cents int64) float64 { return float64(cents) / 100 }

// money writes cents as text for a person: $1,234.50.
func money(cents int64) string {
	digits := fmt.Sprintf("%d", cents/100)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return fmt.Sprintf("$%s.%02d", digits, cents%100)
}
