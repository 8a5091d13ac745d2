package manual

import "strings"

// An example is the call that a model is most likely to repeat, so its tool should
// destroy, send and pay for nothing, as far as its name says.

// harm is how much harm a tool seems to do.
type harm uint8

const (
	reads   harm = iota // it looks something up
	changes             // it does something that can be undone
	harms               // it cannot
)

// harmOf returns the greatest harm that a word in the tool's name suggests.
func harmOf(name string) harm {
	does := changes
	for _, word := range splitWords(name) {
		switch {
		case wordsThatHarm[word]:
			return harms
		case wordsThatRead[word]:
			does = reads
		}
	}
	return does
}

var wordsThatRead = wordSet("browse check compare count describe fetch find get list lookup query read search show view weather")

var wordsThatHarm = wordSet(`abort approve archive ban block buy cancel charge checkout clear close decline delete
	deploy destroy disable dismiss drop email erase execute exec fire forget kill mail merge notify overwrite pay
	payment post publish purchase purge push reboot refund reject release remove reply reset restart revoke rm run
	send share shutdown sms stop submit terminate transfer tweet uninstall unsubscribe wipe withdraw write`)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
