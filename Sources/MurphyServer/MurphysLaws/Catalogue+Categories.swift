extension Catalogue {
  /// The categories; their number in this list is their id, from 1.
  static let categories: [CategoryWords] = [
    CategoryWords(
      "Murphy's Classics", "The laws from which all others follow.",
      things: "the experiment; the plan; the backup plan; the safety margin; the instruction manual; the warranty",
      people: "the engineers; the witnesses", moments: "at the worst possible moment; as soon as you relax"),
    CategoryWords(
      "Technology", "Machines that work until they are watched.",
      things: "the demo laptop; the projector; the new firmware; the wireless mouse; the charger; the display adapter",
      people: "the early adopters; the investors", moments: "during the keynote; one day after the warranty ends"),
    CategoryWords(
      "Software", "Programs, and the belief that they are finished.",
      things: "the regression test; the hotfix; the race condition; the merge; the build; the legacy module",
      people: "the developers; the reviewers", moments: "on Friday at five; right after the release"),
    CategoryWords(
      "Computers", "What the machine does instead of what it was told.",
      things: "the hard disk; the keyboard; the power supply; the operating system; the fan; the boot sequence",
      people: "the power users; the help desk", moments: "during the update; before the first save"),
    CategoryWords(
      "Toast and Breakfast", "Gravity before nine o'clock.",
      things: "the buttered toast; the soft-boiled egg; the coffee; the marmalade; the toaster; the milk carton",
      people: "the guests; the early risers", moments: "before the first coffee; on the new carpet"),
    CategoryWords(
      "Office", "Eight hours a day, of which two go well.",
      things: "the printer; the stapler; the spreadsheet; the meeting room; the shared calendar; the coffee machine",
      people: "the colleagues; the auditors", moments: "five minutes before the meeting; at the end of the quarter"),
    CategoryWords(
      "Meetings", "Where minutes are kept and hours are lost.",
      things: "the agenda; the conference call; the flip chart; the action item; the slide deck; the whiteboard marker",
      people: "the participants; the stakeholders", moments: "just before lunch; when the director walks in"),
    CategoryWords(
      "Management", "Decisions, and the people they happen to.",
      things: "the reorganisation; the budget; the deadline; the mission statement; the milestone; the key metric",
      people: "the managers; the consultants", moments: "after the kick-off; once it is carved in stone"),
    CategoryWords(
      "Love", "The one experiment that cannot be repeated.",
      things: "the love letter; the first date; the anniversary; the mobile phone; the bouquet; the perfect apology",
      people: "the lovers; the relatives", moments: "on Valentine's Day; at first sight"),
    CategoryWords(
      "Marriage", "For better, for worse, and for the thermostat.",
      things:
        "the thermostat; the seating plan; the shopping list; the spare blanket; the wedding cake; the remote control",
      people: "the in-laws; the happy couples", moments: "on the honeymoon; in front of the children"),
    CategoryWords(
      "Parenting", "Small people with large consequences.",
      things: "the teddy bear; the babysitter; the school play; the clean shirt; the nap; the finger paint",
      people: "the toddlers; the other parents", moments: "at three in the morning; in the supermarket queue"),
    CategoryWords(
      "School", "Knowledge leaves through the window that was opened for air.",
      things: "the homework; the pop quiz; the school bus; the sharpened pencil; the group project; the calculator",
      people: "the pupils; the teachers", moments: "on the day of the test; during the class photograph"),
    CategoryWords(
      "University", "Where the response depends on the question's funding.",
      things: "the thesis; the library copy; the lecture hall; the footnote; the grant; the student card",
      people: "the professors; the students", moments: "the night before the exam; after the last tram"),
    CategoryWords(
      "Science", "Nature's sense of humour, with error bars.",
      things: "the control group; the measurement; the hypothesis; the graph; the sample; the peer review",
      people: "the scientists; the referees", moments: "in the last decimal place; after publication"),
    CategoryWords(
      "Statistics", "Nine times out of ten it happens to you.",
      things: "the outlier; the confidence interval; the survey; the average; the random sample; the trend line",
      people: "the statisticians; the respondents", moments: "at the five percent level; when the data is in"),
    CategoryWords(
      "Mathematics", "Trivial, and left to the reader.",
      things: "the proof; the minus sign; the lemma; the counterexample; the rounding error; the margin",
      people: "the mathematicians; the readers", moments: "in the final step; on the way to the blackboard"),
    CategoryWords(
      "Engineering", "Tolerances that are not returned.",
      things: "the prototype; the load-bearing screw; the drawing; the tolerance; the spare part; the safety valve",
      people: "the inspectors; the subcontractors", moments: "after the inspection; under full load"),
    CategoryWords(
      "Space", "One small slip for a man.",
      things: "the launch window; the docking port; the antenna; the countdown; the heat shield; the checklist",
      people: "the astronauts; the flight controllers", moments: "on the far side of the moon; at T minus ten seconds"),
    CategoryWords(
      "Aviation", "Every landing is a conversation with gravity.",
      things: "the boarding pass; the altimeter; the connecting flight; the overhead locker; the runway; the autopilot",
      people: "the passengers; the pilots", moments: "during final approach; at the wrong gate"),
    CategoryWords(
      "Travel", "The journey is the destination, because the train is late.",
      things: "the suitcase; the passport; the hotel room; the phrase book; the alarm clock; the view",
      people: "the tourists; the locals", moments: "at the border; on the last day of the holiday"),
    CategoryWords(
      "Driving", "The shortest way is closed for repairs.",
      things: "the fast lane; the parking space; the fuel gauge; the shortcut; the traffic light; the spare tyre",
      people: "the other drivers; the traffic wardens", moments: "in the rush hour; when you are already late"),
    CategoryWords(
      "Public Transport", "It comes in threes, after you have left.",
      things: "the bus; the ticket machine; the night train; the escalator; the timetable; the last free seat",
      people: "the commuters; the inspectors on duty", moments: "in the pouring rain; with exact change in hand"),
    CategoryWords(
      "Cycling", "The wind is always personal.",
      things: "the inner tube; the chain; the cycle path; the rain jacket; the puncture kit; the tail wind",
      people: "the cyclists; the dog owners", moments: "at the farthest point; in white trousers"),
    CategoryWords(
      "Cooking", "Recipes are wishes with quantities.",
      things: "the sauce; the soufflé; the oven timer; the garlic press; the secret ingredient; the smoke alarm",
      people: "the dinner guests; the food critics", moments: "when the guests ring the bell; on low heat"),
    CategoryWords(
      "Restaurants", "The soup of the day was yesterday's.",
      things: "the bill; the waiter; the table by the window; the tablecloth; the special; the reservation",
      people: "the diners; the people at the next table", moments: "as the food arrives; with your mouth full"),
    CategoryWords(
      "Shopping", "The other queue moves faster.",
      things: "the queue; the bargain; the receipt; the shopping trolley; the changing room; the gift card",
      people: "the shop assistants; the bargain hunters", moments: "on the day after the sale; at the only open till"),
    CategoryWords(
      "Money", "It talks, mostly to say goodbye.",
      things: "the coin; the credit card; the safe investment; the cash machine; the tax refund; the piggy bank",
      people: "the bankers; the creditors", moments: "at the end of the month; abroad"),
    CategoryWords(
      "Law and Courts", "Nothing but the truth, in three copies.",
      things: "the contract; the small print; the witness; the precedent; the signature; the exhibit",
      people: "the lawyers; the jurors", moments: "under oath; after the time for appeal"),
    CategoryWords(
      "Politics", "The art of breaking what was promised to be fixed.",
      things: "the microphone; the poll; the compromise; the campaign bus; the commission; the old speech",
      people: "the voters; the spokespeople", moments: "on the eve of the election; while still on air"),
    CategoryWords(
      "Bureaucracy", "Form 27 is obtained with form 27.",
      things:
        "the form; the rubber stamp; the waiting number; the missing document; the counter; the official photograph",
      people: "the clerks; the applicants", moments: "one minute before closing; in triplicate"),
    CategoryWords(
      "Medicine", "Take two and call somebody else.",
      things: "the symptom; the waiting room; the thermometer; the X-ray; the diagnosis; the hiccup",
      people: "the doctors; the patients", moments: "once the surgery is closed; on a Sunday"),
    CategoryWords(
      "Sports", "The ball is round, and somewhere else.",
      things: "the penalty kick; the stopwatch; the winning goal; the shoelace; the warm-up; the lucky jersey",
      people: "the referees on the pitch; the fans", moments: "in the ninetieth minute; while you fetch a drink"),
    CategoryWords(
      "Golf", "A good walk, and three hours of looking for it.",
      things: "the golf ball; the perfect swing; the short putt; the bunker; the scorecard; the borrowed club",
      people: "the caddies; the golfers", moments: "in front of the clubhouse; on the eighteenth hole"),
    CategoryWords(
      "Fishing", "It was this big.",
      things: "the fishing line; the bait; the landing net; the thermos flask; the biggest fish; the rubber boot",
      people: "the anglers; the fish", moments: "at dawn; when you look away"),
    CategoryWords(
      "Gardening", "Only weeds read no instructions.",
      things: "the lawn mower; the tomato plant; the garden hose; the seed packet; the hedge; the rake",
      people: "the neighbours; the snails", moments: "after the last frost; on a bank holiday"),
    CategoryWords(
      "Do It Yourself", "Measure twice, buy again.",
      things: "the last screw; the drill; the wallpaper; the shelf; the wet paint; the spirit level",
      people: "the handymen; the neighbours downstairs", moments: "when the shops have closed; behind the wardrobe"),
    CategoryWords(
      "Household", "Entropy has a key to your home.",
      things: "the odd sock; the washing machine; the fuse; the doorbell; the light bulb; the vacuum cleaner",
      people: "the visitors; the flatmates", moments: "in the bath; on moving day"),
    CategoryWords(
      "Pets", "You are staff.",
      things: "the cat; the leash; the goldfish; the new sofa; the vet's bill; the rubber duck",
      people: "the pet owners; the postmen", moments: "at five in the morning; in front of the vet"),
    CategoryWords(
      "Weather", "Forecasts are history, told too early.",
      things: "the umbrella; the barbecue; the forecast; the picnic; the sunshine; the washing on the line",
      people: "the meteorologists; the picnickers", moments: "at the weekend; as soon as you have left home"),
    CategoryWords(
      "Music", "Everything sounds better from next door.",
      things: "the guitar string; the metronome; the encore; the high note; the sheet music; the amplifier",
      people: "the tenors; the audience", moments: "in the quiet passage; on opening night"),
    CategoryWords(
      "Photography", "The moment is decisive, the battery is not.",
      things: "the camera battery; the group photo; the lens cap; the flash; the memory card; the sunset",
      people: "the models; the bystanders", moments: "at the golden hour; with everybody's eyes open"),
    CategoryWords(
      "Telephones", "It rings only when your hands are wet.",
      things: "the phone call; the voicemail; the ringtone; the roaming bill; the wrong number; the last bar of signal",
      people: "the callers; the telemarketers", moments: "in the theatre; at one percent battery"),
    CategoryWords(
      "Military", "No plan survives contact with the quartermaster.",
      things: "the map; the radio; the field kitchen; the order; the camouflage; the parachute",
      people: "the recruits; the generals", moments: "under fire; during the parade"),
    CategoryWords(
      "Journalism", "Today's error is tomorrow's correction on page nine.",
      things: "the headline; the typo; the anonymous source; the embargo; the caption; the front page",
      people: "the editors; the subscribers", moments: "after it went to print; one minute after the deadline"),
  ]
}
