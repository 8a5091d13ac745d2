package stat

// AllPass returns pass^k of a case of which right trials out of all were right:
// how likely k trials, drawn without putting back, are all right. It is defined
// for 1 <= k <= all.
func AllPass(right, all, k int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(max(right-i, 0)) / float64(all-i)
	}
	return p
}

// F1 returns precision, recall and their harmonic mean. A share of nothing is 1:
// nothing was wrong.
func F1(truePositives, falsePositives, falseNegatives int) (precision, recall, f1 float64) {
	share := func(part, rest int) float64 {
		if part+rest == 0 {
			return 1
		}
		return float64(part) / float64(part+rest)
	}
	precision = share(truePositives, falsePositives)
	recall = share(truePositives, falseNegatives)
	if precision+recall > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}
