BEGIN TRANSACTION;
CREATE TABLE annotator_events (
	n INTEGER NOT NULL, 
	annotator INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (n), 
	FOREIGN KEY(annotator) REFERENCES annotators (n)
);
INSERT INTO "annotator_events" VALUES(1,3,'block','a test','me','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE annotators (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	token TEXT NOT NULL, 
	code TEXT NOT NULL, 
	label TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	arm TEXT DEFAULT '' NOT NULL, 
	cohort TEXT DEFAULT '' NOT NULL, 
	invited_at TEXT, 
	consented_at TEXT, 
	last_seen TEXT, 
	finished_at TEXT, 
	revoked_at TEXT, 
	withdrawn_at TEXT, 
	block TEXT DEFAULT '' NOT NULL, 
	block_reason TEXT DEFAULT '' NOT NULL, 
	assignment INTEGER, 
	onboarding_wanted INTEGER, 
	onboarding_asked INTEGER DEFAULT '0' NOT NULL, 
	onboarding_right INTEGER DEFAULT '0' NOT NULL, 
	judged INTEGER DEFAULT '0' NOT NULL, 
	excluded INTEGER DEFAULT '0' NOT NULL, 
	credited INTEGER DEFAULT '0' NOT NULL, 
	item_block TEXT DEFAULT '' NOT NULL, 
	began_at TEXT, 
	ending TEXT DEFAULT '' NOT NULL, 
	attention_asked INTEGER DEFAULT '0' NOT NULL, 
	attention_right INTEGER DEFAULT '0' NOT NULL, 
	repeated INTEGER DEFAULT '0' NOT NULL, 
	timed_out INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id), 
	UNIQUE (token)
);
INSERT INTO "annotators" VALUES(1,'35042394a711d74a','d106824827e8df3cb5786e2bc3e59ccd','D2D35D2E4CE663E0','','lab','main','','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,'','',NULL,1,1,1,3,0,0,'','2026-05-01T12:00:00.000000+00:00','',0,0,0,0);
INSERT INTO "annotators" VALUES(2,'d86fcc5f45f42a76','79a21bbe032e966174043e76f46b1c09','58A7BC6ACDC76ABC','','lab','main','','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,'','',NULL,1,1,1,3,1,0,'','2026-05-01T12:00:00.000000+00:00','',0,0,0,0);
INSERT INTO "annotators" VALUES(3,'3c068399daaff905','ab8669da1e5372a8e02861c38fc95aa5','DA818617A0A208FB','Blocked','lab','','','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,NULL,NULL,'researcher','a test',NULL,NULL,0,0,0,0,0,'',NULL,'',0,0,0,0);
INSERT INTO "annotators" VALUES(4,'9118e97206fb3c5a','8aeb7bfe2c6a847e58ef35a00725cf50','DC4633A76C9B11B6','Waiting','lab','main','','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,'','',12,1,1,1,1,0,0,'','2026-05-01T12:00:00.000000+00:00','',0,0,0,0);
INSERT INTO "annotators" VALUES(5,'e2cd877eab3b7be7','ec00416e79e0add0224a7e8266f4baa5','3C27BBB340AD1241','Chatting','lab','main','','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,'','',14,0,0,0,1,0,0,'','2026-05-01T12:00:00.000000+00:00','',0,0,0,0);
INSERT INTO "annotators" VALUES(6,'31bf80b010fc3330','e8aaa291a5736e7ff2e867c4719351cc','6B316B5650EF0CA5','Asked','lab','main','expert','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,'','',9,1,0,0,0,0,0,'','2026-05-01T12:00:00.000000+00:00','',0,0,0,0);
INSERT INTO "annotators" VALUES(7,'c19107aaad5c9433','bf535f43322cf5b7b1b29c67e124d054','2B8021DE06DEF50E','Choosing','lab','main','','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,'','',15,0,0,0,0,0,0,'','2026-05-01T12:00:00.000000+00:00','',0,0,0,0);
CREATE TABLE arms (
	name TEXT NOT NULL, 
	annotators INTEGER DEFAULT '0' NOT NULL, 
	groups_open INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "arms" VALUES('main',6,5);
CREATE TABLE assignments (
	n INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	annotator INTEGER NOT NULL, 
	item INTEGER NOT NULL, 
	slot INTEGER, 
	arm TEXT NOT NULL, 
	shown TEXT NOT NULL, 
	revision INTEGER DEFAULT '0' NOT NULL, 
	number INTEGER DEFAULT '0' NOT NULL, 
	total INTEGER DEFAULT '0' NOT NULL, 
	state TEXT NOT NULL, 
	leased_at TEXT NOT NULL, 
	expires_at TEXT, 
	chat INTEGER, 
	seat INTEGER DEFAULT '0' NOT NULL, 
	draft TEXT DEFAULT '' NOT NULL, 
	credit TEXT DEFAULT '' NOT NULL, 
	occasion INTEGER DEFAULT '1' NOT NULL, 
	deadline_at TEXT, 
	PRIMARY KEY (n), 
	UNIQUE (annotator, item, occasion), 
	UNIQUE ("key"), 
	FOREIGN KEY(annotator) REFERENCES annotators (n), 
	FOREIGN KEY(item) REFERENCES items (n), 
	FOREIGN KEY(slot) REFERENCES slots (n), 
	FOREIGN KEY(chat) REFERENCES chats (n)
);
INSERT INTO "assignments" VALUES(1,'39280386bf9063023c7b35666e0cd1ad',1,1,NULL,'main','0,1',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(2,'91f404ea3d49604574b86026f0270ddb',1,2,1,'main','0,1',1,2,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(3,'57486f101716bf906e2cd3bb4dad90d1',1,7,6,'main','0,1',1,3,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(4,'6c340509307203d6bd372b56d849f369',1,12,11,'main','1,0',1,4,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(5,'1ec2340603ac58a58dcf78f940061c55',2,1,NULL,'main','1,0',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(6,'0dc23d3d42ff6fd305500e391b3d22f2',2,3,2,'main','1,0',1,2,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(7,'73607b27895b643d3b7b05bf3ec11a05',2,6,5,'main','1,0',1,3,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(8,'d04834bd1c2f2494dedf95c951e8a693',2,13,12,'main','0,1',1,4,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(9,'3d1e522fe41488e056abfac5ff2f19b7',6,1,NULL,'main','1,0',1,1,4,'running','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(10,'b182ae718762f646685269a59e5d9780',4,1,NULL,'main','0,1',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(11,'8c238f79c3846c8a8286374949d906aa',4,10,9,'main','0,1',1,2,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(12,'fc5fd425a47bbcff87f957c77f21eb65',4,4,3,'main','0,1',1,3,4,'running','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(13,'b8b4950113e8a4eaa295ba6a6749a9c2',5,14,13,'main','0',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',1,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(14,'721c7ccaa3059c6ae2aa7c4da5df2b5e',5,11,10,'main','1,0',1,2,4,'running','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',NULL,0,'','',1,NULL);
INSERT INTO "assignments" VALUES(15,'80b0a7cf95fec3f1e69dc1cb6100f9e7',7,23,22,'main','1,0',1,1,5,'running','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00',2,0,'','',1,NULL);
CREATE TABLE blocks (
	name TEXT NOT NULL, 
	annotators INTEGER DEFAULT '0' NOT NULL, 
	item_count INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "blocks" VALUES('first',0,25);
CREATE TABLE chat_turns (
	n INTEGER NOT NULL, 
	chat INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	seconds FLOAT, 
	meta TEXT DEFAULT '' NOT NULL, 
	thread INTEGER DEFAULT '0' NOT NULL, 
	candidate INTEGER, 
	PRIMARY KEY (n), 
	UNIQUE (chat, place, thread), 
	UNIQUE (chat, "key"), 
	FOREIGN KEY(chat) REFERENCES chats (n)
);
INSERT INTO "chat_turns" VALUES(1,1,0,0,'Hello!','one','2026-05-01T12:00:00.000000+00:00',NULL,'',0,NULL);
INSERT INTO "chat_turns" VALUES(2,1,1,1,'Hello.','296fa13b0a23d67f','2026-05-01T12:00:00.000000+00:00',0.5,'{"seed":2160522075}',0,0);
INSERT INTO "chat_turns" VALUES(3,2,0,0,'Hello!','one','2026-05-01T12:00:00.000000+00:00',NULL,'',0,NULL);
INSERT INTO "chat_turns" VALUES(4,2,1,1,'Hello from 0.','1ba93dd5548e9c39','2026-05-01T12:00:00.000000+00:00',0.5,'{"seed":1197642256}',0,0);
CREATE TABLE chats (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	item INTEGER NOT NULL, 
	arm TEXT NOT NULL, 
	state TEXT NOT NULL, 
	next_seat INTEGER DEFAULT '0' NOT NULL, 
	ending TEXT DEFAULT '' NOT NULL, 
	turns_0 INTEGER DEFAULT '0' NOT NULL, 
	turns_1 INTEGER DEFAULT '0' NOT NULL, 
	min_exchanges INTEGER NOT NULL, 
	max_exchanges INTEGER NOT NULL, 
	change BIGINT NOT NULL, 
	news BIGINT NOT NULL, 
	since TEXT NOT NULL, 
	began_at TEXT NOT NULL, 
	ended_at TEXT, 
	waits_until TEXT, 
	is_erased BOOLEAN DEFAULT false NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id), 
	FOREIGN KEY(item) REFERENCES items (n)
);
INSERT INTO "chats" VALUES(1,'chat-5544e0f0ff8be1db',14,'main','ended',0,'complete',1,1,1,1,4,4,'2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,0);
INSERT INTO "chats" VALUES(2,'chat-4601d55348fa9f04',23,'main','ended',0,'complete',1,1,1,1,4,8,'2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,0);
CREATE TABLE dialogues (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	bot TEXT NOT NULL, 
	content_hash TEXT NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id)
);
INSERT INTO "dialogues" VALUES(1,'A-0','A','3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea','{"id":"A-0","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(2,'A-1','A','3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea','{"id":"A-1","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(3,'A-2','A','3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea','{"id":"A-2","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(4,'A-3','A','3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea','{"id":"A-3","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(5,'B-0','B','abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f','{"id":"B-0","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(6,'B-1','B','abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f','{"id":"B-1","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(7,'B-2','B','abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f','{"id":"B-2","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(8,'B-3','B','abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f','{"id":"B-3","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(9,'C-0','C','b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248','{"id":"C-0","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(10,'C-1','C','b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248','{"id":"C-1","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(11,'C-2','C','b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248','{"id":"C-2","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(12,'C-3','C','b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248','{"id":"C-3","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(13,'A-gold0','A','a5a06c45abbdf8ecea0e76d38300fada9c4c781eb9fbb91099f0d2a024eefd2b','{"id":"A-gold0","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","A pleasure to meet you.",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(14,'B-gold0','B','678a0567df0dd3bf80181b313f17019a61a61ed9071666bdcc386c638ee7f6f9','{"id":"B-gold0","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","no no no no",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(15,'chat-5544e0f0ff8be1db','ada','bb58359290482db637dcf58c65ad5b2181cb35b53b92475d62a4f87fbdba4169','{"id":"chat-5544e0f0ff8be1db","bot":"ada","kind":"live-chat","judged":"ada","speakers":[["human",null],["ada","ada"]],"turns":[["human","Hello!",null,{"at":"2026-05-01T12:00:00.000000+00:00"}],["ada","Hello.",null,{"at":"2026-05-01T12:00:00.000000+00:00","seconds":0.5,"seed":2160522075}]],"context":[],"extras":{"briefing":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 0."]},"annotator":"e2cd877eab3b7be7","ending":"complete"}}');
INSERT INTO "dialogues" VALUES(16,'chat-4601d55348fa9f04','ada__vs__bea','2d3c2607ed7f2393e2f80d2c369c13fc7112401b2758f42bba594015e1111e56','{"id":"chat-4601d55348fa9f04","bot":"ada__vs__bea","kind":"live-chat","judged":"partner","speakers":[["human",null],["partner","ada__vs__bea"]],"turns":[["human","Hello!",null,{"at":"2026-05-01T12:00:00.000000+00:00"}],["partner","Hello from 0.",null,{"at":"2026-05-01T12:00:00.000000+00:00","seconds":0.5,"seed":1197642256,"bot":"ada"}]],"context":[],"extras":{"briefing":{"first":"annotator","choose":"one"},"annotator":"c19107aaad5c9433","ending":"complete","bots":["ada","bea"]}}');
CREATE TABLE exclusions (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	judgment INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	rule TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id), 
	FOREIGN KEY(judgment) REFERENCES judgments (n)
);
INSERT INTO "exclusions" VALUES(1,'0fd78a6c54325afd',8,'exclude','slow','a test','me','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE facts (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "facts" VALUES('secret:researcher','bd60278d589409a9c22ac95fec698e97');
INSERT INTO "facts" VALUES('mark:rehearsal','no');
CREATE TABLE filled_forms (
	n INTEGER NOT NULL, 
	annotator INTEGER NOT NULL, 
	form TEXT NOT NULL, 
	revision INTEGER DEFAULT '0' NOT NULL, 
	answers TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (annotator, form), 
	FOREIGN KEY(annotator) REFERENCES annotators (n)
);
INSERT INTO "filled_forms" VALUES(1,6,'you',1,'{"age":31,"langs":["en"]}','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE gold_items (
	item INTEGER NOT NULL, 
	role TEXT DEFAULT 'onboarding' NOT NULL, 
	handed INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (item), 
	FOREIGN KEY(item) REFERENCES items (n)
)
 WITHOUT ROWID

;
INSERT INTO "gold_items" VALUES(1,'onboarding',4);
CREATE TABLE item_dialogues (
	item INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	dialogue INTEGER NOT NULL, 
	PRIMARY KEY (item, place), 
	FOREIGN KEY(item) REFERENCES items (n), 
	FOREIGN KEY(dialogue) REFERENCES dialogues (n)
)
 WITHOUT ROWID

;
INSERT INTO "item_dialogues" VALUES(1,0,13);
INSERT INTO "item_dialogues" VALUES(1,1,14);
INSERT INTO "item_dialogues" VALUES(2,0,1);
INSERT INTO "item_dialogues" VALUES(2,1,5);
INSERT INTO "item_dialogues" VALUES(3,0,2);
INSERT INTO "item_dialogues" VALUES(3,1,6);
INSERT INTO "item_dialogues" VALUES(4,0,3);
INSERT INTO "item_dialogues" VALUES(4,1,7);
INSERT INTO "item_dialogues" VALUES(5,0,4);
INSERT INTO "item_dialogues" VALUES(5,1,8);
INSERT INTO "item_dialogues" VALUES(6,0,1);
INSERT INTO "item_dialogues" VALUES(6,1,9);
INSERT INTO "item_dialogues" VALUES(7,0,2);
INSERT INTO "item_dialogues" VALUES(7,1,10);
INSERT INTO "item_dialogues" VALUES(8,0,3);
INSERT INTO "item_dialogues" VALUES(8,1,11);
INSERT INTO "item_dialogues" VALUES(9,0,4);
INSERT INTO "item_dialogues" VALUES(9,1,12);
INSERT INTO "item_dialogues" VALUES(10,0,5);
INSERT INTO "item_dialogues" VALUES(10,1,9);
INSERT INTO "item_dialogues" VALUES(11,0,6);
INSERT INTO "item_dialogues" VALUES(11,1,10);
INSERT INTO "item_dialogues" VALUES(12,0,7);
INSERT INTO "item_dialogues" VALUES(12,1,11);
INSERT INTO "item_dialogues" VALUES(13,0,8);
INSERT INTO "item_dialogues" VALUES(13,1,12);
INSERT INTO "item_dialogues" VALUES(35,0,1);
INSERT INTO "item_dialogues" VALUES(35,1,6);
CREATE TABLE items (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	group_name TEXT NOT NULL, 
	role TEXT DEFAULT 'judged' NOT NULL, 
	block TEXT DEFAULT '' NOT NULL, 
	is_retired BOOLEAN DEFAULT false NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id)
);
INSERT INTO "items" VALUES(1,'A-gold0:B-gold0','A__vs__B','onboarding','',0,'{"id":"A-gold0:B-gold0","group":"A__vs__B","bots":["A","B"],"dialogues":["A-gold0","B-gold0"],"judged":["she","she"],"is_onboarding":true,"gold":0}');
INSERT INTO "items" VALUES(2,'A-0:B-0','A__vs__B','judged','',0,'{"id":"A-0:B-0","group":"A__vs__B","bots":["A","B"],"dialogues":["A-0","B-0"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(3,'A-1:B-1','A__vs__B','judged','',0,'{"id":"A-1:B-1","group":"A__vs__B","bots":["A","B"],"dialogues":["A-1","B-1"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(4,'A-2:B-2','A__vs__B','judged','',0,'{"id":"A-2:B-2","group":"A__vs__B","bots":["A","B"],"dialogues":["A-2","B-2"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(5,'A-3:B-3','A__vs__B','judged','',0,'{"id":"A-3:B-3","group":"A__vs__B","bots":["A","B"],"dialogues":["A-3","B-3"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(6,'A-0:C-0','A__vs__C','judged','',0,'{"id":"A-0:C-0","group":"A__vs__C","bots":["A","C"],"dialogues":["A-0","C-0"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(7,'A-1:C-1','A__vs__C','judged','',0,'{"id":"A-1:C-1","group":"A__vs__C","bots":["A","C"],"dialogues":["A-1","C-1"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(8,'A-2:C-2','A__vs__C','judged','',0,'{"id":"A-2:C-2","group":"A__vs__C","bots":["A","C"],"dialogues":["A-2","C-2"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(9,'A-3:C-3','A__vs__C','judged','',0,'{"id":"A-3:C-3","group":"A__vs__C","bots":["A","C"],"dialogues":["A-3","C-3"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(10,'B-0:C-0','B__vs__C','judged','',0,'{"id":"B-0:C-0","group":"B__vs__C","bots":["B","C"],"dialogues":["B-0","C-0"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(11,'B-1:C-1','B__vs__C','judged','',0,'{"id":"B-1:C-1","group":"B__vs__C","bots":["B","C"],"dialogues":["B-1","C-1"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(12,'B-2:C-2','B__vs__C','judged','',0,'{"id":"B-2:C-2","group":"B__vs__C","bots":["B","C"],"dialogues":["B-2","C-2"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(13,'B-3:C-3','B__vs__C','judged','',0,'{"id":"B-3:C-3","group":"B__vs__C","bots":["B","C"],"dialogues":["B-3","C-3"],"judged":["she","she"]}');
INSERT INTO "items" VALUES(14,'chat-ada-0','ada','judged','',1,'{"id":"chat-ada-0","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 0."]}}}');
INSERT INTO "items" VALUES(15,'chat-ada-1','ada','judged','',1,'{"id":"chat-ada-1","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 1."]}}}');
INSERT INTO "items" VALUES(16,'chat-ada-2','ada','judged','',1,'{"id":"chat-ada-2","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 2."]}}}');
INSERT INTO "items" VALUES(17,'chat-ada-3','ada','judged','',1,'{"id":"chat-ada-3","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 3."]}}}');
INSERT INTO "items" VALUES(18,'chat-ada-4','ada','judged','',1,'{"id":"chat-ada-4","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 4."]}}}');
INSERT INTO "items" VALUES(19,'chat-ada-5','ada','judged','',1,'{"id":"chat-ada-5","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 5."]}}}');
INSERT INTO "items" VALUES(20,'chat-ada-6','ada','judged','',1,'{"id":"chat-ada-6","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 6."]}}}');
INSERT INTO "items" VALUES(21,'chat-ada-7','ada','judged','',1,'{"id":"chat-ada-7","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 7."]}}}');
INSERT INTO "items" VALUES(22,'chat-ada-8','ada','judged','',1,'{"id":"chat-ada-8","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 8."]}}}');
INSERT INTO "items" VALUES(23,'chat-ada__vs__bea-0','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-0","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(24,'chat-ada__vs__bea-1','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-1","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(25,'chat-ada__vs__bea-2','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-2","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(26,'chat-ada__vs__bea-3','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-3","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(27,'chat-ada__vs__bea-4','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-4","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(28,'chat-ada__vs__bea-5','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-5","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(29,'chat-ada__vs__bea-6','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-6","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(30,'chat-ada__vs__bea-7','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-7","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(31,'chat-ada__vs__bea-8','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-8","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(32,'chat-ada__vs__bea-9','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-9","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(33,'chat-ada__vs__bea-10','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-10","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(34,'chat-ada__vs__bea-11','ada__vs__bea','judged','',0,'{"id":"chat-ada__vs__bea-11","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO "items" VALUES(35,'A-0:B-1','A__vs__B','judged','first',0,'{"id":"A-0:B-1","group":"A__vs__B","bots":["A","B"],"dialogues":["A-0","B-1"],"judged":["she","she"],"block":"first"}');
CREATE TABLE judged_quotas (
	annotator INTEGER NOT NULL, 
	quota INTEGER NOT NULL, 
	judged INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (annotator, quota), 
	FOREIGN KEY(annotator) REFERENCES annotators (n), 
	FOREIGN KEY(quota) REFERENCES quotas (n)
)
 WITHOUT ROWID

;
INSERT INTO "judged_quotas" VALUES(1,1,1);
INSERT INTO "judged_quotas" VALUES(1,2,1);
INSERT INTO "judged_quotas" VALUES(1,3,1);
INSERT INTO "judged_quotas" VALUES(2,1,1);
INSERT INTO "judged_quotas" VALUES(2,2,1);
INSERT INTO "judged_quotas" VALUES(2,3,1);
INSERT INTO "judged_quotas" VALUES(4,3,1);
INSERT INTO "judged_quotas" VALUES(5,4,1);
CREATE TABLE judgment_flags (
	n INTEGER NOT NULL, 
	judgment INTEGER NOT NULL, 
	rule TEXT NOT NULL, 
	detail TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (judgment, rule), 
	FOREIGN KEY(judgment) REFERENCES judgments (n)
);
INSERT INTO "judgment_flags" VALUES(1,11,'few-words','1 word');
CREATE TABLE judgments (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	assignment INTEGER NOT NULL, 
	annotator INTEGER NOT NULL, 
	item INTEGER NOT NULL, 
	slot INTEGER, 
	quota INTEGER, 
	arm TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	answer TEXT NOT NULL, 
	shown TEXT NOT NULL, 
	seconds FLOAT NOT NULL, 
	seconds_kind TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	is_correct BOOLEAN, 
	role TEXT DEFAULT 'judged' NOT NULL, 
	occasion INTEGER DEFAULT '1' NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id), 
	UNIQUE (assignment), 
	FOREIGN KEY(assignment) REFERENCES assignments (n), 
	FOREIGN KEY(annotator) REFERENCES annotators (n), 
	FOREIGN KEY(item) REFERENCES items (n), 
	FOREIGN KEY(slot) REFERENCES slots (n), 
	FOREIGN KEY(quota) REFERENCES quotas (n)
);
INSERT INTO "judgments" VALUES(1,'74102121fee97b7f',1,1,1,NULL,NULL,'main',1,'{"side":1}','0,1',0.0,'wall','key-39280386bf9063023c7b35666e0cd1ad','2026-05-01T12:00:00.000000+00:00',1,'onboarding',1);
INSERT INTO "judgments" VALUES(2,'b960a38552911005',2,1,2,1,1,'main',1,'{"side":1}','0,1',0.0,'wall','key-91f404ea3d49604574b86026f0270ddb','2026-05-01T12:00:00.000000+00:00',NULL,'judged',1);
INSERT INTO "judgments" VALUES(3,'d5a0b2d95ab686a7',3,1,7,6,2,'main',1,'{"side":1}','0,1',0.0,'wall','key-57486f101716bf906e2cd3bb4dad90d1','2026-05-01T12:00:00.000000+00:00',NULL,'judged',1);
INSERT INTO "judgments" VALUES(4,'0fdf980b8e58223a',4,1,12,11,3,'main',1,'{"side":1}','1,0',0.0,'wall','key-6c340509307203d6bd372b56d849f369','2026-05-01T12:00:00.000000+00:00',NULL,'judged',1);
INSERT INTO "judgments" VALUES(5,'cc8a29e316cef9ed',5,2,1,NULL,NULL,'main',1,'{"side":1}','1,0',0.0,'wall','key-1ec2340603ac58a58dcf78f940061c55','2026-05-01T12:00:00.000000+00:00',1,'onboarding',1);
INSERT INTO "judgments" VALUES(6,'b0292c8a4fad0da6',6,2,3,2,1,'main',1,'{"side":1}','1,0',0.0,'wall','key-0dc23d3d42ff6fd305500e391b3d22f2','2026-05-01T12:00:00.000000+00:00',NULL,'judged',1);
INSERT INTO "judgments" VALUES(7,'b512187810908579',7,2,6,5,2,'main',1,'{"side":1}','1,0',0.0,'wall','key-73607b27895b643d3b7b05bf3ec11a05','2026-05-01T12:00:00.000000+00:00',NULL,'judged',1);
INSERT INTO "judgments" VALUES(8,'a2e98d833010d385',8,2,13,12,3,'main',1,'{"side":1}','0,1',0.0,'wall','key-d04834bd1c2f2494dedf95c951e8a693','2026-05-01T12:00:00.000000+00:00',NULL,'judged',1);
INSERT INTO "judgments" VALUES(9,'bd8170535b323058',10,4,1,NULL,NULL,'main',1,'{"side":1}','0,1',0.0,'wall','key-b182ae718762f646685269a59e5d9780','2026-05-01T12:00:00.000000+00:00',1,'onboarding',1);
INSERT INTO "judgments" VALUES(10,'e256b9eaad7817a1',11,4,10,9,3,'main',1,'{"side":1}','0,1',0.0,'wall','key-8c238f79c3846c8a8286374949d906aa','2026-05-01T12:00:00.000000+00:00',NULL,'judged',1);
INSERT INTO "judgments" VALUES(11,'c8033dcbb246c060',13,5,14,13,4,'main',1,'{"side":1}','0',0.0,'wall','two','2026-05-01T12:00:00.000000+00:00',NULL,'judged',1);
CREATE TABLE looks (
	n INTEGER NOT NULL, 
	how TEXT NOT NULL, 
	judgments INTEGER DEFAULT '0' NOT NULL, 
	planned INTEGER DEFAULT '0' NOT NULL, 
	short INTEGER DEFAULT '0' NOT NULL, 
	data TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (n)
);
INSERT INTO "looks" VALUES(1,'analyse',1,9,1,'abc','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE migrations (
	number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "migrations" VALUES(9,'made whole','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE plans (
	number INTEGER NOT NULL, 
	hash TEXT NOT NULL, 
	body TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "plans" VALUES(1,'94b752adec000eb565d05970ba2536e749cbf93c556ab31f4df54408b184a064','{
 "alpha": 0.05,
 "frozen_at": "2026-05-01T12:00:00.000000+00:00",
 "hash": "94b752adec000eb565d05970ba2536e749cbf93c556ab31f4df54408b184a064"
}
','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE quotas (
	n INTEGER NOT NULL, 
	arm TEXT NOT NULL, 
	group_name TEXT NOT NULL, 
	cohort TEXT DEFAULT '' NOT NULL, 
	is_wanted BOOLEAN DEFAULT true NOT NULL, 
	wanted INTEGER DEFAULT '0' NOT NULL, 
	free INTEGER DEFAULT '0' NOT NULL, 
	leased INTEGER DEFAULT '0' NOT NULL, 
	done INTEGER DEFAULT '0' NOT NULL, 
	excluded INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (arm, group_name, cohort)
);
INSERT INTO "quotas" VALUES(1,'main','A__vs__B','',1,5,2,1,2,0);
INSERT INTO "quotas" VALUES(2,'main','A__vs__C','',1,4,2,0,2,0);
INSERT INTO "quotas" VALUES(3,'main','B__vs__C','',1,4,1,1,2,1);
INSERT INTO "quotas" VALUES(4,'main','ada','',1,1,0,0,1,0);
INSERT INTO "quotas" VALUES(5,'main','ada__vs__bea','',1,12,11,1,0,0);
CREATE TABLE reason_prints (
	judgment INTEGER NOT NULL, 
	print TEXT NOT NULL, 
	may_be_shared BOOLEAN NOT NULL, 
	PRIMARY KEY (judgment), 
	FOREIGN KEY(judgment) REFERENCES judgments (n)
);
INSERT INTO "reason_prints" VALUES(10,'843a1de7c001d2d4864401d18464c083',0);
CREATE TABLE reasons (
	judgment INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (judgment), 
	FOREIGN KEY(judgment) REFERENCES judgments (n)
);
INSERT INTO "reasons" VALUES(1,'So.');
INSERT INTO "reasons" VALUES(2,'So.');
INSERT INTO "reasons" VALUES(3,'So.');
INSERT INTO "reasons" VALUES(4,'So.');
INSERT INTO "reasons" VALUES(5,'So.');
INSERT INTO "reasons" VALUES(6,'So.');
INSERT INTO "reasons" VALUES(7,'So.');
INSERT INTO "reasons" VALUES(8,'So.');
INSERT INTO "reasons" VALUES(9,'So.');
INSERT INTO "reasons" VALUES(10,'So it asks more questions.');
INSERT INTO "reasons" VALUES(11,'So.');
CREATE TABLE reply_failures (
	n INTEGER NOT NULL, 
	reply INTEGER NOT NULL, 
	chat INTEGER NOT NULL, 
	attempt INTEGER DEFAULT '0' NOT NULL, 
	cause TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (n), 
	FOREIGN KEY(reply) REFERENCES wanted_replies (n), 
	FOREIGN KEY(chat) REFERENCES chats (n)
);
INSERT INTO "reply_failures" VALUES(1,1,1,1,'It said nothing.','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE revisions (
	number INTEGER NOT NULL, 
	design_hash TEXT NOT NULL, 
	text TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "revisions" VALUES(1,'hash','the study file','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE rules_in_force (
	judgment INTEGER NOT NULL, 
	rule TEXT NOT NULL, 
	exclusion INTEGER NOT NULL, 
	PRIMARY KEY (judgment, rule), 
	FOREIGN KEY(judgment) REFERENCES judgments (n), 
	FOREIGN KEY(exclusion) REFERENCES exclusions (n)
)
 WITHOUT ROWID

;
INSERT INTO "rules_in_force" VALUES(8,'slow',1);
CREATE TABLE seen_dialogues (
	annotator INTEGER NOT NULL, 
	dialogue INTEGER NOT NULL, 
	PRIMARY KEY (annotator, dialogue), 
	FOREIGN KEY(annotator) REFERENCES annotators (n), 
	FOREIGN KEY(dialogue) REFERENCES dialogues (n)
)
 WITHOUT ROWID

;
INSERT INTO "seen_dialogues" VALUES(1,1);
INSERT INTO "seen_dialogues" VALUES(1,2);
INSERT INTO "seen_dialogues" VALUES(1,5);
INSERT INTO "seen_dialogues" VALUES(1,7);
INSERT INTO "seen_dialogues" VALUES(1,10);
INSERT INTO "seen_dialogues" VALUES(1,11);
INSERT INTO "seen_dialogues" VALUES(1,13);
INSERT INTO "seen_dialogues" VALUES(1,14);
INSERT INTO "seen_dialogues" VALUES(2,1);
INSERT INTO "seen_dialogues" VALUES(2,2);
INSERT INTO "seen_dialogues" VALUES(2,6);
INSERT INTO "seen_dialogues" VALUES(2,8);
INSERT INTO "seen_dialogues" VALUES(2,9);
INSERT INTO "seen_dialogues" VALUES(2,12);
INSERT INTO "seen_dialogues" VALUES(2,13);
INSERT INTO "seen_dialogues" VALUES(2,14);
INSERT INTO "seen_dialogues" VALUES(4,3);
INSERT INTO "seen_dialogues" VALUES(4,5);
INSERT INTO "seen_dialogues" VALUES(4,7);
INSERT INTO "seen_dialogues" VALUES(4,9);
INSERT INTO "seen_dialogues" VALUES(4,13);
INSERT INTO "seen_dialogues" VALUES(4,14);
INSERT INTO "seen_dialogues" VALUES(5,6);
INSERT INTO "seen_dialogues" VALUES(5,10);
INSERT INTO "seen_dialogues" VALUES(6,13);
INSERT INTO "seen_dialogues" VALUES(6,14);
CREATE TABLE selections (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	assignment INTEGER NOT NULL, 
	turn INTEGER NOT NULL, 
	shown TEXT NOT NULL, 
	chosen TEXT NOT NULL, 
	written TEXT DEFAULT '' NOT NULL, 
	continuation INTEGER, 
	is_complete BOOLEAN NOT NULL, 
	answer TEXT DEFAULT '' NOT NULL, 
	seconds FLOAT, 
	"key" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (assignment, turn), 
	UNIQUE (id), 
	FOREIGN KEY(assignment) REFERENCES assignments (n)
);
INSERT INTO "selections" VALUES(1,'1ad4d6e1b9f4380d',15,1,'[[1],[0]]','[2]','',0,1,'',NULL,'two','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE slots (
	n INTEGER NOT NULL, 
	quota INTEGER NOT NULL, 
	item INTEGER NOT NULL, 
	copy INTEGER DEFAULT '0' NOT NULL, 
	position BIGINT NOT NULL, 
	state TEXT DEFAULT 'free' NOT NULL, 
	is_wanted BOOLEAN DEFAULT true NOT NULL, 
	shown TEXT NOT NULL, 
	assignment INTEGER, 
	judgment INTEGER, 
	PRIMARY KEY (n), 
	UNIQUE (item, quota, copy), 
	FOREIGN KEY(quota) REFERENCES quotas (n), 
	FOREIGN KEY(item) REFERENCES items (n)
);
INSERT INTO "slots" VALUES(1,1,2,0,1,'done',1,'0,1',NULL,2);
INSERT INTO "slots" VALUES(2,1,3,0,2,'done',1,'1,0',NULL,6);
INSERT INTO "slots" VALUES(3,1,4,0,3,'leased',1,'0,1',12,NULL);
INSERT INTO "slots" VALUES(4,1,5,0,4,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(5,2,6,0,1,'done',1,'1,0',NULL,7);
INSERT INTO "slots" VALUES(6,2,7,0,2,'done',1,'0,1',NULL,3);
INSERT INTO "slots" VALUES(7,2,8,0,3,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(8,2,9,0,4,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(9,3,10,0,1,'done',1,'0,1',NULL,10);
INSERT INTO "slots" VALUES(10,3,11,0,2,'leased',1,'1,0',14,NULL);
INSERT INTO "slots" VALUES(11,3,12,0,3,'done',1,'1,0',NULL,4);
INSERT INTO "slots" VALUES(12,3,13,0,4,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(13,4,14,0,1,'done',0,'0',NULL,11);
INSERT INTO "slots" VALUES(14,4,15,0,2,'retired',0,'0',NULL,NULL);
INSERT INTO "slots" VALUES(15,4,16,0,3,'retired',0,'0',NULL,NULL);
INSERT INTO "slots" VALUES(16,4,17,0,4,'retired',0,'0',NULL,NULL);
INSERT INTO "slots" VALUES(17,4,18,0,5,'retired',0,'0',NULL,NULL);
INSERT INTO "slots" VALUES(18,4,19,0,6,'retired',0,'0',NULL,NULL);
INSERT INTO "slots" VALUES(19,4,20,0,7,'retired',0,'0',NULL,NULL);
INSERT INTO "slots" VALUES(20,4,21,0,8,'retired',0,'0',NULL,NULL);
INSERT INTO "slots" VALUES(21,4,22,0,9,'retired',0,'0',NULL,NULL);
INSERT INTO "slots" VALUES(22,5,23,0,1,'leased',1,'1,0',15,NULL);
INSERT INTO "slots" VALUES(23,5,24,0,2,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(24,5,25,0,3,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(25,5,26,0,4,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(26,5,27,0,5,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(27,5,28,0,6,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(28,5,29,0,7,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(29,5,30,0,8,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(30,5,31,0,9,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(31,5,32,0,10,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(32,5,33,0,11,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(33,5,34,0,12,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(34,1,35,0,5,'free',1,'0,1',NULL,NULL);
CREATE TABLE tallies (
	quota INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	example INTEGER NOT NULL, 
	done INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (quota, kind), 
	FOREIGN KEY(quota) REFERENCES quotas (n), 
	FOREIGN KEY(example) REFERENCES judgments (n)
)
 WITHOUT ROWID

;
INSERT INTO "tallies" VALUES(1,'3ee0b0b378c9d7fd1394883a9b36e150',6,1);
INSERT INTO "tallies" VALUES(1,'d983b98c878c19a90239e4865636595c',2,1);
INSERT INTO "tallies" VALUES(2,'130cfa2e2558602411864b0a5026cf65',3,1);
INSERT INTO "tallies" VALUES(2,'b4a6d03199582ebbca04057ece12995e',7,1);
INSERT INTO "tallies" VALUES(3,'b0bdae9219cdaa4cf4e52e3b14c57ce8',8,1);
INSERT INTO "tallies" VALUES(3,'e3439d19be25186a6bb7993d2b5ec9c0',4,1);
INSERT INTO "tallies" VALUES(4,'53b704e2dc3da081cd11258afd7fce0f',11,1);
CREATE TABLE wanted_replies (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	chat INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	bot TEXT NOT NULL, 
	seed BIGINT NOT NULL, 
	state TEXT NOT NULL, 
	attempts INTEGER DEFAULT '0' NOT NULL, 
	due_at TEXT NOT NULL, 
	candidate INTEGER DEFAULT '0' NOT NULL, 
	shown INTEGER DEFAULT '0' NOT NULL, 
	text TEXT DEFAULT '' NOT NULL, 
	seconds FLOAT, 
	meta TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (chat, place, candidate), 
	UNIQUE (id), 
	FOREIGN KEY(chat) REFERENCES chats (n)
);
INSERT INTO "wanted_replies" VALUES(1,'296fa13b0a23d67f',1,1,'ada',2160522075,'given',1,'2026-05-01T12:00:30.000000+00:00',0,0,'',NULL,'');
INSERT INTO "wanted_replies" VALUES(2,'1ba93dd5548e9c39',2,1,'ada',1197642256,'given',1,'2026-05-01T12:00:30.000000+00:00',0,1,'Hello from 0.',0.5,'{"seed":1197642256}');
INSERT INTO "wanted_replies" VALUES(3,'a598114bb95b86a7',2,1,'bea',1362625893,'given',1,'2026-05-01T12:00:30.000000+00:00',1,0,'Hello from 1.',0.5,'{"seed":1362625893}');
CREATE INDEX quotas_to_fill ON quotas (arm, cohort, free DESC, n);
CREATE INDEX annotators_at_forms ON annotators (last_seen) WHERE consented_at IS NOT NULL AND onboarding_wanted IS NULL;
CREATE TRIGGER plans_never_update BEFORE update ON plans
BEGIN SELECT RAISE(ABORT, 'plans are append-only'); END;
CREATE TRIGGER plans_never_delete BEFORE delete ON plans
BEGIN SELECT RAISE(ABORT, 'plans are append-only'); END;
CREATE TRIGGER looks_never_update BEFORE update ON looks
BEGIN SELECT RAISE(ABORT, 'looks are append-only'); END;
CREATE TRIGGER looks_never_delete BEFORE delete ON looks
BEGIN SELECT RAISE(ABORT, 'looks are append-only'); END;
CREATE INDEX slots_to_hand_out ON slots (quota, state, position);
CREATE INDEX second_slots ON slots (quota, state) WHERE copy = 1000000;
CREATE TRIGGER filled_forms_never_update BEFORE update ON filled_forms WHEN (NEW.answers <> '[withdrawn]' OR NEW.annotator <> OLD.annotator OR NEW.form <> OLD.form OR NEW.revision <> OLD.revision OR NEW.at <> OLD.at)
BEGIN SELECT RAISE(ABORT, 'filled_forms are append-only'); END;
CREATE TRIGGER filled_forms_never_delete BEFORE delete ON filled_forms
BEGIN SELECT RAISE(ABORT, 'filled_forms are append-only'); END;
CREATE INDEX chats_in_the_waiting_room ON chats (arm, n) WHERE state = 'waiting';
CREATE INDEX chats_by_news ON chats (news);
CREATE TRIGGER chat_turns_never_update BEFORE update ON chat_turns WHEN (NEW.text <> '[withdrawn]' OR NEW.chat <> OLD.chat OR NEW.place <> OLD.place OR NEW.seat <> OLD.seat OR NEW.key <> OLD.key OR NEW.at <> OLD.at OR NEW.meta NOT IN ('', OLD.meta) OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1) OR NEW.thread <> OLD.thread OR coalesce(NEW.candidate, -1) <> coalesce(OLD.candidate, -1))
BEGIN SELECT RAISE(ABORT, 'chat_turns are append-only'); END;
CREATE TRIGGER chat_turns_never_delete BEFORE delete ON chat_turns
BEGIN SELECT RAISE(ABORT, 'chat_turns are append-only'); END;
CREATE INDEX replies_by_due_time ON wanted_replies (due_at) WHERE state = 'open';
CREATE UNIQUE INDEX one_assignment_in_hand ON assignments (annotator) WHERE state = 'running';
CREATE INDEX leases_by_expiry ON assignments (expires_at) WHERE state = 'running';
CREATE UNIQUE INDEX one_lease_of_a_slot ON assignments (slot) WHERE state = 'running';
CREATE INDEX assignments_by_chat ON assignments (chat) WHERE chat IS NOT NULL;
CREATE INDEX failures_by_chat ON reply_failures (chat);
CREATE INDEX judgments_by_annotator ON judgments (annotator, role, seconds);
CREATE TRIGGER judgments_never_update BEFORE update ON judgments
BEGIN SELECT RAISE(ABORT, 'judgments are append-only'); END;
CREATE TRIGGER judgments_never_delete BEFORE delete ON judgments
BEGIN SELECT RAISE(ABORT, 'judgments are append-only'); END;
CREATE TRIGGER selections_never_update BEFORE update ON selections WHEN (NEW.written NOT IN ('', '[withdrawn]') OR NEW.answer <> '' OR NEW.id <> OLD.id OR NEW.assignment <> OLD.assignment OR NEW.turn <> OLD.turn OR NEW.shown <> OLD.shown OR NEW.chosen <> OLD.chosen OR NEW.is_complete <> OLD.is_complete OR NEW.key <> OLD.key OR NEW.at <> OLD.at OR coalesce(NEW.continuation, -1) <> coalesce(OLD.continuation, -1) OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1))
BEGIN SELECT RAISE(ABORT, 'selections are append-only'); END;
CREATE TRIGGER selections_never_delete BEFORE delete ON selections
BEGIN SELECT RAISE(ABORT, 'selections are append-only'); END;
CREATE INDEX reasons_that_say_the_same ON reason_prints (print);
CREATE TRIGGER exclusions_never_update BEFORE update ON exclusions
BEGIN SELECT RAISE(ABORT, 'exclusions are append-only'); END;
CREATE TRIGGER exclusions_never_delete BEFORE delete ON exclusions
BEGIN SELECT RAISE(ABORT, 'exclusions are append-only'); END;
COMMIT;
