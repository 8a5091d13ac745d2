package sig

// Patterned reports whether the name of an undeclared property decides what is
// said about it: whether the schema has patternProperties.
func (t *Type) Patterned() bool { return t != nil && len(t.patterns) > 0 }
